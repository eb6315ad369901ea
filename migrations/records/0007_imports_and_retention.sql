-- Finished imports, and how many records the collection had afterwards.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  at TEXT NOT NULL,
  collection TEXT NOT NULL,
  records INTEGER NOT NULL,
  total INTEGER NOT NULL
) STRICT;

CREATE INDEX imports_by_organisation ON imports (organisation_id, id);

-- The mapping that was last used for files with the same headings. `headings` is their digest and
-- `mapping` JSON (src/import/mapping/mapping.ts), without any value of a file.
CREATE TABLE import_mappings (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  headings TEXT NOT NULL,
  mapping TEXT NOT NULL,
  last_used TEXT NOT NULL,
  PRIMARY KEY (organisation_id, headings)
) STRICT;

-- Deletes records of a collection once the date in `field`, a dotted path, is older than `age`, such as
-- '7 years'. `completed_on` is the last day, in the United Kingdom, that was completed; the next one continues at
-- `cursor`, JSON, until it is complete. The rule with the oldest `last_run` is next. `removed` and `kept`
-- count the last day: a record stays while others refer to it.
CREATE TABLE retention_rules (
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  field TEXT NOT NULL,
  age TEXT NOT NULL,
  created TEXT NOT NULL,
  created_by TEXT NOT NULL,
  completed_on TEXT,
  last_run TEXT,
  cursor TEXT,
  removed INTEGER NOT NULL DEFAULT 0,
  kept INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organisation_id, collection)
) STRICT, WITHOUT ROWID;
