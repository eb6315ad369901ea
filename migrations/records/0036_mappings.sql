-- How the files of one kind were last read, for the next file of that kind: `headings` is the digest of
-- its headings. No value of a file is in it.
CREATE TABLE mappings (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  headings TEXT NOT NULL,
  -- JSON (see import/tabular/mapping.ts).
  mapping TEXT NOT NULL,
  used TEXT NOT NULL,
  PRIMARY KEY (organisation_id, headings)
) STRICT;
