-- Where an organisation wants to be told of changes. `cursor` is its place in the feed: what has a later
-- version is still to be sent, so nothing has to be queued where a record is written. Up to `told` it has
-- been told of every change; what changed after that and again before it was sent has moved on in the feed,
-- behind the cursor's place, so a message names what changed after `told`. Whoever sends holds the lease; `rest_until` is what the receiver asked for with Retry-After.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  url TEXT NOT NULL,
  -- Names, separated by commas.
  collections TEXT NOT NULL,
  changes TEXT NOT NULL,
  -- Encrypted; for a day after a rotation there are two.
  secret TEXT NOT NULL,
  old_secret TEXT,
  old_secret_until TEXT,
  created TEXT NOT NULL,
  created_by TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'disabled')),
  -- Why it is disabled.
  reason TEXT,
  cursor INTEGER NOT NULL,
  told INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since TEXT,
  last_success TEXT,
  rest_until TEXT,
  lease TEXT,
  lease_until TEXT
) STRICT, WITHOUT ROWID;

-- No column that changes as messages are sent is in an index: each message would write another row.
CREATE INDEX webhooks_of_organisation ON webhooks (organisation_id);

-- Messages that have failed or were asked for by hand, until they are delivered: one a record, its last.
CREATE TABLE webhook_waiting (
  webhook_id TEXT NOT NULL REFERENCES webhooks (id),
  collection TEXT NOT NULL,
  record_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  type TEXT NOT NULL,
  version INTEGER NOT NULL,
  changed TEXT NOT NULL,
  at TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  first_attempt TEXT NOT NULL,
  due TEXT NOT NULL,
  PRIMARY KEY (webhook_id, collection, record_id)
) STRICT, WITHOUT ROWID;

-- What was sent, to be looked at for 30 days.
CREATE TABLE webhook_attempts (
  webhook_id TEXT NOT NULL REFERENCES webhooks (id),
  tried TEXT NOT NULL,
  collection TEXT NOT NULL,
  record_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  type TEXT NOT NULL,
  version INTEGER NOT NULL,
  changed TEXT NOT NULL,
  at TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  -- NULL where there was no answer; `fault` says why it counts as a failure.
  status INTEGER,
  fault TEXT,
  milliseconds INTEGER NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (webhook_id, tried, message_id)
) STRICT, WITHOUT ROWID;

-- The version at which each field of a record last changed, as a JSON object, for those that did since the
-- organisation has webhooks: so a message tells every field that changed since the one before.
ALTER TABLE records ADD COLUMN field_versions TEXT;

CREATE TRIGGER records_fields_changed AFTER UPDATE OF document ON records
WHEN EXISTS (SELECT 1 FROM webhooks WHERE organisation_id = NEW.organisation_id)
BEGIN
  UPDATE records SET field_versions = json_patch(coalesce(field_versions, '{}'), (
    SELECT json_group_object(key, CASE records.version
      -- Written without a version, which the trigger for that may give it before this one or after.
      WHEN OLD.version THEN (SELECT version + 1 FROM organisations WHERE id = NEW.organisation_id)
      ELSE records.version
    END)
    FROM (
      SELECT key FROM (
        SELECT key, type, value FROM json_each(NEW.document)
        EXCEPT SELECT key, type, value FROM json_each(OLD.document)
      )
      UNION
      SELECT key FROM (
        SELECT key, type, value FROM json_each(OLD.document)
        EXCEPT SELECT key, type, value FROM json_each(NEW.document)
      )
    )
    WHERE substr(key, 1, 1) <> '$'
  ))
  WHERE row = NEW.row;
END;
