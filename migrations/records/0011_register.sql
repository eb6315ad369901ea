-- The statuses of a booking before it was marked on the register of its event, so that taking the mark
-- back restores them.
CREATE TABLE attendance_marks (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  booking_id TEXT NOT NULL,
  org_status TEXT NOT NULL,
  attending INTEGER NOT NULL CHECK (attending IN (0, 1)),
  PRIMARY KEY (organisation_id, booking_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER marked_bookings_deleted AFTER DELETE ON records WHEN OLD.collection = 'bookings' BEGIN
  DELETE FROM attendance_marks WHERE organisation_id = OLD.organisation_id AND booking_id = OLD.id;
END;

-- A steward takes registers and sees nothing else. The role in `role` is then 'reader', which the CHECK
-- constraint allows.
ALTER TABLE memberships ADD COLUMN registers_only INTEGER NOT NULL DEFAULT 0
  CHECK (registers_only IN (0, 1));
