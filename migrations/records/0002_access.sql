ALTER TABLE api_keys ADD COLUMN created_by TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN expires TEXT;
ALTER TABLE api_keys ADD COLUMN last_used TEXT;

-- Who may use tokens and the dashboard. A person is added by e-mail address, and bound to their
-- subject at the identity provider when they first come with that address verified.
CREATE TABLE memberships (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  email TEXT NOT NULL CHECK (email = lower(email)),
  role TEXT NOT NULL CHECK (role IN ('admin', 'member')),
  created TEXT NOT NULL,
  issuer TEXT,
  subject TEXT,
  PRIMARY KEY (organisation_id, email),
  CHECK ((issuer IS NULL) = (subject IS NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX memberships_of_subject ON memberships (issuer, subject, organisation_id);
CREATE INDEX memberships_unclaimed ON memberships (email) WHERE subject IS NULL;

-- Every act on keys and users: who did what to which, and when.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  act TEXT NOT NULL,
  target TEXT NOT NULL
) STRICT;

CREATE INDEX audit_of_organisation ON audit (organisation_id, id);

-- Who is signed in to the dashboard. The cookie holds a random secret, the table its SHA-256.
CREATE TABLE sessions (
  hash TEXT PRIMARY KEY,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  expires TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_expiry ON sessions (expires);

-- What was imported: how many records came, and how many the collection then had.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  at TEXT NOT NULL,
  collection TEXT NOT NULL,
  records INTEGER NOT NULL,
  total INTEGER NOT NULL
) STRICT;

CREATE INDEX imports_of_organisation ON imports (organisation_id, id);
