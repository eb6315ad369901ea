-- A booking that is moved to another event takes its sign-up along, with its place on the waiting list. Its
-- digest is of the other event, where the person can sign up again.
CREATE TRIGGER bookings_moved AFTER UPDATE OF document ON records
WHEN NEW.collection = 'bookings'
  AND coalesce(nullif(NEW.document ->> '$.childEventId', ''), NEW.document ->> '$.eventId', '')
    <> coalesce(nullif(OLD.document ->> '$.childEventId', ''), OLD.document ->> '$.eventId', '')
BEGIN
  UPDATE sign_ups SET person_hash = booking_id,
    event_id = coalesce(nullif(NEW.document ->> '$.childEventId', ''), NEW.document ->> '$.eventId', '')
  WHERE organisation_id = NEW.organisation_id AND booking_id = NEW.id;
END;
