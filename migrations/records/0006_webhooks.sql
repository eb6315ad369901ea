-- Where an organisation wants to be notified of changes. Messages were sent up to the version `cursor`
-- of the change feed, and no change up to the version `told` needs a message any more. The process that
-- delivers holds the lease; a receiver asks for `rest_until` with Retry-After.
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

CREATE INDEX webhooks_of_organisation ON webhooks (organisation_id);

-- Messages that wait for another attempt, at most one per record.
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

-- Attempts of the last 30 days.
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
  -- NULL without an answer; `fault` says why the attempt counts as a failure.
  status INTEGER,
  fault TEXT,
  milliseconds INTEGER NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (webhook_id, tried, message_id)
) STRICT, WITHOUT ROWID;

-- Erasing a person clears the answers to messages about each of their records. Without this index, every
-- step would read every attempt of the organisation. An answer that is cleared is not in it.
CREATE INDEX webhook_attempts_answered ON webhook_attempts (webhook_id, collection, record_id)
  WHERE answer <> '';
