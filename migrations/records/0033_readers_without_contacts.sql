-- A reader who sees no contact details. The role in `role` is then 'reader', as for stewards.
ALTER TABLE memberships ADD COLUMN hides_contacts INTEGER NOT NULL DEFAULT 0
  CHECK (hides_contacts IN (0, 1));
