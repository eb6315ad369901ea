-- Where an organisation wants to be notified of changes. Messages were sent up to the version `cursor`
-- of the change feed, and no change up to the version `notified` needs a message any more. The process that
-- delivers holds the lease. A receiver sets `retry_after` with the header of that name.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  url TEXT NOT NULL,
  -- Names, separated by commas.
  collections TEXT NOT NULL,
  changes TEXT NOT NULL,
  -- Encrypted; for a day after a rotation there are two.
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until TEXT,
  created TEXT NOT NULL,
  created_by TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'disabled')),
  -- Why it is disabled.
  reason TEXT,
  cursor INTEGER NOT NULL,
  notified INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since TEXT,
  last_success TEXT,
  retry_after TEXT,
  lease TEXT,
  lease_until TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX webhooks_by_organisation ON webhooks (organisation_id);

-- Messages that wait for another attempt, at most one per record.
CREATE TABLE webhook_outbox (
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
  attempted TEXT NOT NULL,
  collection TEXT NOT NULL,
  record_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  type TEXT NOT NULL,
  version INTEGER NOT NULL,
  changed TEXT NOT NULL,
  at TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  -- NULL without a response; `failure` says why the attempt failed.
  status INTEGER,
  failure TEXT,
  duration_ms INTEGER NOT NULL,
  response TEXT NOT NULL,
  PRIMARY KEY (webhook_id, attempted, message_id)
) STRICT, WITHOUT ROWID;

-- Erasing a person clears the responses to messages about each of their records. Without this index, every
-- step would read every attempt of the organisation. A cleared response is not in it.
CREATE INDEX webhook_attempts_with_response ON webhook_attempts (webhook_id, collection, record_id)
  WHERE response <> '';
