-- Who waits for a place: a sign-up whose booking has the status `waiting`. `waiting_checked` is the time when
-- the cron last looked for places for its event, empty before, and NULL for other sign-ups.
ALTER TABLE sign_ups ADD COLUMN waiting_checked TEXT;

UPDATE sign_ups SET waiting_checked = '' WHERE EXISTS (
  SELECT 1 FROM records WHERE collection = 'bookings' AND id = booking_id
    AND records.organisation_id = sign_ups.organisation_id AND document ->> '$.userStatus' = 'waiting'
);

CREATE INDEX sign_ups_waiting ON sign_ups (waiting_checked, organisation_id, event_id)
  WHERE waiting_checked IS NOT NULL;

CREATE INDEX sign_ups_waiting_by_event ON sign_ups (organisation_id, event_id, booking_id)
  WHERE waiting_checked IS NOT NULL;

CREATE TRIGGER sign_ups_inserted AFTER INSERT ON sign_ups
WHEN EXISTS (
  SELECT 1 FROM records WHERE collection = 'bookings' AND id = NEW.booking_id
    AND organisation_id = NEW.organisation_id AND document ->> '$.userStatus' = 'waiting'
)
BEGIN
  UPDATE sign_ups SET waiting_checked = ifnull(NEW.waiting_checked, '')
  WHERE organisation_id = NEW.organisation_id AND booking_id = NEW.booking_id;
END;

CREATE TRIGGER bookings_waiting AFTER UPDATE OF document ON records
WHEN NEW.collection = 'bookings'
  AND (NEW.document ->> '$.userStatus' IS 'waiting') <> (OLD.document ->> '$.userStatus' IS 'waiting')
BEGIN
  UPDATE sign_ups SET waiting_checked = iif(NEW.document ->> '$.userStatus' IS 'waiting', '', NULL)
  WHERE organisation_id = NEW.organisation_id AND booking_id = NEW.id;
END;
