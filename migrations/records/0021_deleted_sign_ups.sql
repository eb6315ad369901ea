-- The rows of a record are deleted with it and come back with its previous version: `attached` is JSON with
-- the sign-up of a deleted booking, its links and its mark on the register, or the questions of a deleted event.
ALTER TABLE history ADD COLUMN attached TEXT;

-- The cron removes sign-ups after their day.
CREATE INDEX history_with_sign_ups ON history (attached ->> '$.signUp.deleteAfter')
  WHERE attached IS NOT NULL;

CREATE TRIGGER deleted_sign_ups_attached BEFORE DELETE ON sign_ups
WHEN NOT EXISTS (
  SELECT 1 FROM records WHERE collection = 'bookings' AND id = OLD.booking_id
    AND organisation_id = OLD.organisation_id
)
BEGIN
  UPDATE history SET attached = json_set(coalesce(attached, '{}'), '$.signUp', json_object(
    'eventId', OLD.event_id, 'personHash', OLD.person_hash, 'contact', json(OLD.contact),
    'answers', json(OLD.answers), 'questionAnswers', json(OLD.question_answers),
    'sequence', OLD.sequence, 'heldUntil', OLD.held_until, 'deleteAfter', OLD.delete_after,
    'links', json((
      SELECT json_group_array(json_object('hash', hash, 'created', created)) FROM booking_links
      WHERE organisation_id = OLD.organisation_id AND booking_id = OLD.booking_id
    ))
  ))
  WHERE organisation_id = OLD.organisation_id AND collection = 'bookings' AND id = OLD.booking_id
    AND change = 'deleted' AND version = (
      SELECT max(version) FROM history WHERE organisation_id = OLD.organisation_id
        AND collection = 'bookings' AND id = OLD.booking_id
    )
    AND EXISTS (SELECT 1 FROM organisations WHERE id = OLD.organisation_id AND version_days > 0);
END;

CREATE TRIGGER deleted_marks_attached BEFORE DELETE ON attendance_marks
WHEN NOT EXISTS (
  SELECT 1 FROM records WHERE collection = 'bookings' AND id = OLD.booking_id
    AND organisation_id = OLD.organisation_id
)
BEGIN
  UPDATE history SET attached = json_set(coalesce(attached, '{}'), '$.mark', json_object(
    'orgStatus', OLD.org_status, 'attending', OLD.attending
  ))
  WHERE organisation_id = OLD.organisation_id AND collection = 'bookings' AND id = OLD.booking_id
    AND change = 'deleted' AND version = (
      SELECT max(version) FROM history WHERE organisation_id = OLD.organisation_id
        AND collection = 'bookings' AND id = OLD.booking_id
    )
    AND EXISTS (SELECT 1 FROM organisations WHERE id = OLD.organisation_id AND version_days > 0);
END;

CREATE TRIGGER deleted_questions_attached BEFORE DELETE ON event_questions
WHEN NOT EXISTS (
  SELECT 1 FROM records WHERE collection = 'events' AND id = OLD.event_id
    AND organisation_id = OLD.organisation_id
)
BEGIN
  UPDATE history SET attached = json_object('questions', json(OLD.questions))
  WHERE organisation_id = OLD.organisation_id AND collection = 'events' AND id = OLD.event_id
    AND change = 'deleted' AND version = (
      SELECT max(version) FROM history WHERE organisation_id = OLD.organisation_id
        AND collection = 'events' AND id = OLD.event_id
    )
    AND EXISTS (SELECT 1 FROM organisations WHERE id = OLD.organisation_id AND version_days > 0);
END;

-- The previous version and its `attached` go together: after its days, and with an erased person.
CREATE TRIGGER attached_forgotten AFTER UPDATE OF replaced ON history
WHEN NEW.replaced IS NULL AND NEW.attached IS NOT NULL
BEGIN
  UPDATE history SET attached = NULL
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id
    AND version = NEW.version;
END;
