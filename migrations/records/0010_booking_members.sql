-- The member of a booking, so that a list reads no JSON to find the member. Triggers keep it up to date
-- because the previous version of the Worker does not write it.
ALTER TABLE records ADD COLUMN member_id TEXT;

UPDATE records SET member_id = document ->> '$.memberId' WHERE collection = 'bookings';

CREATE TRIGGER bookings_inserted AFTER INSERT ON records WHEN NEW.collection = 'bookings' BEGIN
  UPDATE records SET member_id = NEW.document ->> '$.memberId' WHERE row = NEW.row;
END;

CREATE TRIGGER bookings_changed AFTER UPDATE OF document ON records
WHEN NEW.collection = 'bookings' AND NEW.member_id IS NOT NEW.document ->> '$.memberId'
BEGIN
  UPDATE records SET member_id = NEW.document ->> '$.memberId' WHERE row = NEW.row;
END;
