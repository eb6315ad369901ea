-- How often each key asked for what, and how many records it was given, by the day in UTC.
CREATE TABLE key_use (
  organisation_id TEXT NOT NULL,
  day TEXT NOT NULL,
  key_id TEXT NOT NULL,
  -- The segment of the path: a collection, or changes, schemas and imports.
  collection TEXT NOT NULL,
  requests INTEGER NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, day, key_id, collection)
) STRICT, WITHOUT ROWID;
