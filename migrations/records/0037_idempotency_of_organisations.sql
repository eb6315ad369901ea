-- Whose request it was, so that an organisation is removed with its own requests. NULL for those of
-- before; they are forgotten after a day.
ALTER TABLE idempotency ADD COLUMN organisation_id TEXT;
