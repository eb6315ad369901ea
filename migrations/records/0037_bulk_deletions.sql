-- A restored series takes sign-ups for all of its dates at once again, and restored links lead to as many bookings as before.
DROP TRIGGER deleted_questions_attached;

CREATE TRIGGER deleted_questions_attached BEFORE DELETE ON event_questions
WHEN NOT EXISTS (
  SELECT 1 FROM records WHERE collection = 'events' AND id = OLD.event_id
    AND organisation_id = OLD.organisation_id
)
BEGIN
  UPDATE history SET attached = json_object(
    'questions', json(OLD.questions), 'booksAllDates', OLD.books_all_dates
  )
  WHERE organisation_id = OLD.organisation_id AND collection = 'events' AND id = OLD.event_id
    AND change = 'deleted' AND version = (
      SELECT max(version) FROM history WHERE organisation_id = OLD.organisation_id
        AND collection = 'events' AND id = OLD.event_id
    )
    AND EXISTS (SELECT 1 FROM organisations WHERE id = OLD.organisation_id AND version_days > 0);
END;

DROP TRIGGER deleted_sign_ups_attached;

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
      SELECT json_group_array(json_object('hash', hash, 'created', created, 'isFamily', is_family))
      FROM booking_links
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

-- The deletion of selected records has a row in `imports`, so that it can be undone: `deleted` is their number, and NULL
-- for an import and a bulk edit.
ALTER TABLE imports ADD COLUMN deleted INTEGER;
