-- A tenant. `version` grows with every change of a record, and `changed` is the time of the last one, empty
-- before the first: within an organisation, time never goes backwards. Deletions up to the version
-- `deletions_forgotten_to` are no longer remembered.
CREATE TABLE organisations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 0,
  changed TEXT NOT NULL DEFAULT '',
  deletions_forgotten_to INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- The fields of an organisation's members, volunteers or partners, as a JSON list.
CREATE TABLE schemas (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  kind TEXT NOT NULL CHECK (kind IN ('members', 'volunteers', 'partners')),
  name TEXT NOT NULL,
  fields TEXT NOT NULL CHECK (json_type(fields) = 'array'),
  PRIMARY KEY (organisation_id, kind)
) STRICT, WITHOUT ROWID;
