-- The values of fields that many records have different values in, for summaries (docs/storage.md): a row has the
-- ids of the terms of 2,000 consecutive ordinals, separated by commas, 0 for a record without a value, and nothing for
-- one whose document has to be read.
CREATE TABLE packed_columns (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  collection TEXT NOT NULL,
  field TEXT NOT NULL,
  pack INTEGER NOT NULL,
  term_ids TEXT NOT NULL,
  PRIMARY KEY (organisation_id, collection, field, pack)
) STRICT;

-- The version up to which an organisation's changes are in its packed columns, and the fields that these have.
CREATE TABLE packed_organisations (
  organisation_id TEXT PRIMARY KEY REFERENCES organisations (id),
  fields TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
