-- `hash` is the SHA-256 of the key. `permissions` are names separated by commas; `restrictions` is
-- JSON (src/access/restrictions.ts), NULL for none. Rotating a key sets `expires` to the end of the grace
-- period and keeps the key's own expiry in `original_expires`, 'never' for none.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created TEXT NOT NULL,
  revoked TEXT,
  created_by TEXT NOT NULL DEFAULT '',
  expires TEXT,
  last_used TEXT,
  original_expires TEXT,
  permissions TEXT NOT NULL DEFAULT 'read,create-members',
  restrictions TEXT CHECK (json_valid(restrictions))
) STRICT;

CREATE INDEX api_keys_by_organisation ON api_keys (organisation_id);

-- Who may use tokens and the dashboard. A user is added by e-mail address and bound to their subject at
-- the identity provider when they first sign in with that address verified.
CREATE TABLE memberships (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  email TEXT NOT NULL CHECK (email = lower(email)),
  role TEXT NOT NULL CHECK (role IN ('reader', 'editor', 'admin')),
  created TEXT NOT NULL,
  issuer TEXT,
  subject TEXT,
  PRIMARY KEY (organisation_id, email),
  CHECK ((issuer IS NULL) = (subject IS NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX memberships_by_subject ON memberships (issuer, subject, organisation_id);

CREATE INDEX memberships_unclaimed ON memberships (email) WHERE subject IS NULL;

-- Dashboard sessions. The cookie holds a random secret, the table its SHA-256.
CREATE TABLE sessions (
  hash TEXT PRIMARY KEY,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  expires TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_expiry ON sessions (expires);

-- Who administered what.
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL
) STRICT;

CREATE INDEX audit_log_by_organisation ON audit_log (organisation_id, id);

-- Requests and returned records of each key, by day and collection.
CREATE TABLE key_usage (
  organisation_id TEXT NOT NULL,
  day TEXT NOT NULL,
  key_id TEXT NOT NULL,
  -- The segment of the path: a collection, or changes, schemas and imports.
  collection TEXT NOT NULL,
  requests INTEGER NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, day, key_id, collection)
) STRICT, WITHOUT ROWID;
