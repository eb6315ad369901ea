-- Messages by mail, each written once for several addresses. `purpose` says what they are for, and `content` is JSON
-- of its own form (src/sign-up/mailings/purposes.ts); `record_id` is the event or form that they are about.
-- `recipients` counts the addresses for the limit of a day, also once their rows are deleted.
CREATE TABLE mailings (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  id TEXT NOT NULL,
  purpose TEXT NOT NULL,
  record_id TEXT NOT NULL,
  content TEXT NOT NULL CHECK (json_type(content) = 'object'),
  recipients INTEGER NOT NULL,
  created TEXT NOT NULL,
  created_by TEXT NOT NULL,
  delete_after TEXT NOT NULL,
  PRIMARY KEY (organisation_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX mailings_by_day ON mailings (organisation_id, created);

CREATE INDEX mailings_by_record ON mailings (organisation_id, record_id, created);

CREATE INDEX mailings_to_delete ON mailings (delete_after);

-- The message of a mailing to one address, which is in lower case: the key lets no address get two. `recipient` is JSON
-- with the name, the address and the bookings that the message is about. The text is written only when it is sent,
-- so that no secret of a link is stored and nobody gets a message after giving up their place. `due` is the time of the
-- next attempt, and NULL once there is none.
CREATE TABLE mailing_messages (
  organisation_id TEXT NOT NULL,
  mailing_id TEXT NOT NULL,
  address TEXT NOT NULL,
  recipient TEXT NOT NULL CHECK (json_type(recipient) = 'object'),
  state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'uncertain', 'unneeded')),
  attempts INTEGER NOT NULL DEFAULT 0,
  due TEXT,
  updated TEXT NOT NULL,
  PRIMARY KEY (organisation_id, mailing_id, address)
) STRICT, WITHOUT ROWID;

CREATE INDEX mailing_messages_by_due ON mailing_messages (due) WHERE due IS NOT NULL;

CREATE INDEX mailing_messages_by_address ON mailing_messages (organisation_id, address);

CREATE TRIGGER mailings_deleted AFTER DELETE ON mailings BEGIN
  DELETE FROM mailing_messages WHERE organisation_id = OLD.organisation_id AND mailing_id = OLD.id;
END;

CREATE TRIGGER mailings_of_deleted_record AFTER DELETE ON records
WHEN OLD.collection IN ('events', 'forms')
BEGIN
  DELETE FROM mailings WHERE organisation_id = OLD.organisation_id AND record_id = OLD.id;
END;

-- A message is deleted with the last sign-up that it is about.
CREATE TRIGGER mailing_messages_of_deleted_sign_up AFTER DELETE ON sign_ups BEGIN
  UPDATE mailing_messages SET recipient = json_set(recipient, '$.bookingIds', (
      SELECT json_group_array(value) FROM json_each(recipient, '$.bookingIds') WHERE value <> OLD.booking_id
    ))
  WHERE organisation_id = OLD.organisation_id AND address = lower(OLD.contact ->> '$.email')
    AND EXISTS (SELECT 1 FROM json_each(recipient, '$.bookingIds') WHERE value = OLD.booking_id);
  DELETE FROM mailing_messages
  WHERE organisation_id = OLD.organisation_id AND address = lower(OLD.contact ->> '$.email')
    AND json_array_length(recipient, '$.bookingIds') = 0;
END;

-- Links to stop messages: digests of their secrets and of addresses. `used` is the time when the link was used.
CREATE TABLE unsubscribe_links (
  organisation_id TEXT NOT NULL,
  address_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  created TEXT NOT NULL,
  used TEXT,
  PRIMARY KEY (organisation_id, address_hash, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX unsubscribe_links_by_hash ON unsubscribe_links (organisation_id, hash);

CREATE INDEX unsubscribe_links_unused ON unsubscribe_links (created) WHERE used IS NULL;

-- A link with 1 leads to all bookings of the contact for the event.
ALTER TABLE booking_links ADD COLUMN is_family INTEGER NOT NULL DEFAULT 0;

-- For pages that remind people the day before: when the cron last looked for events of tomorrow, empty before.
-- NULL for others.
ALTER TABLE public_pages ADD COLUMN reminders_checked TEXT;

CREATE INDEX public_pages_with_reminders ON public_pages (reminders_checked)
  WHERE reminders_checked IS NOT NULL;
