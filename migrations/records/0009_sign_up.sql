-- Whether an organisation's pages under /o/ are on, and how they look and what they ask:
-- `settings` is JSON (src/sign-up/public-pages.ts). `logo` is a PNG in Base64.
CREATE TABLE public_pages (
  organisation_id TEXT PRIMARY KEY REFERENCES organisations (id),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  settings TEXT NOT NULL CHECK (json_type(settings) = 'object'),
  logo TEXT
) STRICT;

-- The questions that one event asks besides, as a JSON list (src/sign-up/event-questions.ts).
CREATE TABLE event_questions (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  event_id TEXT NOT NULL,
  questions TEXT NOT NULL CHECK (json_type(questions) = 'array'),
  PRIMARY KEY (organisation_id, event_id)
) STRICT, WITHOUT ROWID;

-- The answers behind a booking from the public pages, until the person comes or the data is deleted.
-- `contact` is JSON with the name and email address of the person who signed up; `answers` are by field
-- of the members' schema, `question_answers` by question of the event. `person_hash` is the digest of event,
-- contact address and attendee, so that one person has one booking. `sequence` numbers the versions of the
-- calendar entry. A place that is not confirmed falls free at `held_until`. `delete_after` is the next day after
-- which a part of the data is to be deleted.
CREATE TABLE sign_ups (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  booking_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  person_hash TEXT NOT NULL,
  contact TEXT NOT NULL CHECK (json_type(contact) = 'object'),
  answers TEXT NOT NULL CHECK (json_type(answers) = 'object'),
  question_answers TEXT NOT NULL CHECK (json_type(question_answers) = 'object'),
  sequence INTEGER NOT NULL DEFAULT 0,
  held_until TEXT,
  delete_after TEXT NOT NULL,
  PRIMARY KEY (organisation_id, booking_id)
) STRICT;

CREATE UNIQUE INDEX sign_ups_by_person ON sign_ups (organisation_id, event_id, person_hash);

CREATE INDEX sign_ups_held ON sign_ups (held_until) WHERE held_until IS NOT NULL;

CREATE INDEX sign_ups_to_delete ON sign_ups (delete_after);

-- Private links to bookings: `hash` is the SHA-256 of the secret in a link. A booking may have several.
CREATE TABLE booking_links (
  hash TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  booking_id TEXT NOT NULL,
  created TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX booking_links_by_booking ON booking_links (organisation_id, booking_id);

-- Personal links to forms. The answer belongs to the person `person_id` of `kind`, if any; `used` is the
-- time of the answer.
CREATE TABLE form_links (
  hash TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  form_id TEXT NOT NULL,
  kind TEXT CHECK (kind IN ('members', 'volunteers', 'partners')),
  person_id TEXT,
  created TEXT NOT NULL,
  expires TEXT NOT NULL,
  used TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX form_links_by_form ON form_links (organisation_id, form_id);

CREATE INDEX form_links_by_person ON form_links (organisation_id, kind, person_id);

CREATE INDEX form_links_by_expiry ON form_links (expires);

-- The number of messages to an address on a day, by the digest of both.
CREATE TABLE sent_mail (
  day TEXT NOT NULL,
  recipient_hash TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, recipient_hash)
) STRICT, WITHOUT ROWID;

-- Whatever belongs to a record goes with it.
CREATE TRIGGER bookings_deleted AFTER DELETE ON records WHEN OLD.collection = 'bookings' BEGIN
  DELETE FROM sign_ups WHERE organisation_id = OLD.organisation_id AND booking_id = OLD.id;
END;

CREATE TRIGGER sign_ups_deleted AFTER DELETE ON sign_ups BEGIN
  DELETE FROM booking_links
  WHERE organisation_id = OLD.organisation_id AND booking_id = OLD.booking_id;
END;

CREATE TRIGGER events_deleted AFTER DELETE ON records WHEN OLD.collection = 'events' BEGIN
  DELETE FROM event_questions WHERE organisation_id = OLD.organisation_id AND event_id = OLD.id;
END;

CREATE TRIGGER forms_deleted AFTER DELETE ON records WHEN OLD.collection = 'forms' BEGIN
  DELETE FROM form_links WHERE organisation_id = OLD.organisation_id AND form_id = OLD.id;
END;

CREATE TRIGGER people_deleted AFTER DELETE ON records
WHEN OLD.collection IN ('members', 'volunteers', 'partners')
BEGIN
  DELETE FROM form_links
  WHERE organisation_id = OLD.organisation_id AND kind = OLD.collection AND person_id = OLD.id;
END;
