CREATE TABLE organisations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created TEXT NOT NULL,
  revoked TEXT
) STRICT;

CREATE INDEX api_keys_of_organisation ON api_keys (organisation_id);

CREATE TABLE schemas (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  kind TEXT NOT NULL CHECK (kind IN ('members', 'volunteers', 'partners')),
  name TEXT NOT NULL,
  fields TEXT NOT NULL CHECK (json_type(fields) = 'array'),
  PRIMARY KEY (organisation_id, kind)
) STRICT, WITHOUT ROWID;

-- Every record of every collection. `row` is the order of arrival; `position` numbers an
-- organisation's collection 1…n without gaps, so a page at any offset is read from its first record.
CREATE TABLE records (
  row INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  position INTEGER NOT NULL,
  document TEXT NOT NULL CHECK (json_type(document) = 'object'),
  updated TEXT NOT NULL,
  CONSTRAINT account_number_redacted CHECK (
    collection <> 'disbursements'
    OR document ->> '$.bankAccount.accountNumber' = ''
    OR document ->> '$.bankAccount.accountNumber' GLOB '[*][*][*][*][0-9][0-9][0-9][0-9]'
  ),
  CONSTRAINT sort_code_redacted CHECK (
    collection <> 'disbursements'
    OR document ->> '$.bankAccount.sortCode' = ''
    OR document ->> '$.bankAccount.sortCode' GLOB '[*][*][*][*][0-9][0-9]'
  )
) STRICT;

-- The organisation comes last, so that a record of another organisation is found by its id too.
CREATE UNIQUE INDEX records_by_id ON records (collection, id, organisation_id);
CREATE INDEX records_by_position ON records (organisation_id, collection, position);

-- The inverted index: one term for each value that occurs in a field, one posting for each record
-- it occurs in. `count` is the number of its postings.
CREATE TABLE terms (
  id INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  field TEXT NOT NULL,
  value ANY NOT NULL,
  count INTEGER NOT NULL,
  UNIQUE (organisation_id, collection, field, value)
) STRICT;

CREATE TABLE postings (
  term INTEGER NOT NULL,
  row INTEGER NOT NULL,
  PRIMARY KEY (term, row)
) STRICT, WITHOUT ROWID;

-- What a filter can reach in a document: scalars, and the scalar elements of arrays, but nothing
-- inside the objects of an array. `field` is the dotted path; a person's field id is one key, dots
-- and all, which json_tree quotes, and nothing is reached below it but its elements. `value` is
-- what terms hold: text and numbers as they are, booleans as one byte so that no text equals them,
-- and of a text over 256 bytes its first 256 as a blob, so that the index stays small; a filter that
-- long compares `atom` as well.
CREATE VIEW leaves AS
SELECT
  records.row,
  records.organisation_id,
  records.collection,
  CASE
    WHEN node.path = '$' THEN node.key
    WHEN node.path GLOB '$."*' THEN substr(node.path, 3) ->> '$'
    WHEN typeof(node.key) = 'integer' THEN substr(node.path, 3)
    ELSE substr(node.path, 3) || '.' || node.key
  END AS field,
  CASE
    WHEN node.type = 'true' THEN x'01'
    WHEN node.type = 'false' THEN x'00'
    WHEN node.type = 'text' AND octet_length(node.atom) > 256
      THEN substr(CAST(node.atom AS BLOB), 1, 256)
    ELSE node.atom
  END AS value,
  node.type,
  node.atom,
  node.fullkey
FROM records CROSS JOIN json_tree(records.document) AS node
WHERE node.atom IS NOT NULL AND CASE
  WHEN node.path GLOB '$."*'
    THEN typeof(node.key) = 'integer' AND json_valid(substr(node.path, 3))
  ELSE node.path NOT GLOB '*[[]*'
END;

CREATE TRIGGER records_inserted AFTER INSERT ON records BEGIN
  INSERT INTO terms (organisation_id, collection, field, value, count)
    SELECT DISTINCT organisation_id, collection, field, value, 1 FROM leaves WHERE row = NEW.row
    ON CONFLICT (organisation_id, collection, field, value) DO UPDATE SET count = count + 1;
  INSERT INTO postings (term, row)
    SELECT DISTINCT terms.id, NEW.row
    FROM leaves CROSS JOIN terms USING (organisation_id, collection, field, value)
    WHERE leaves.row = NEW.row;
END;

-- An update unhooks the leaves whose place in the new document holds something else, and hooks up
-- whatever then has no posting: the terms that stay are not written.
CREATE TRIGGER records_updating BEFORE UPDATE OF document ON records BEGIN
  DELETE FROM postings WHERE row = OLD.row AND term IN (
    SELECT terms.id
    FROM leaves CROSS JOIN terms USING (organisation_id, collection, field, value)
    WHERE leaves.row = OLD.row AND (
      json_type(NEW.document, leaves.fullkey) IS NOT leaves.type
      OR NEW.document ->> leaves.fullkey IS NOT leaves.atom
    )
  );
END;

CREATE TRIGGER records_updated AFTER UPDATE OF document ON records BEGIN
  INSERT INTO terms (organisation_id, collection, field, value, count)
    SELECT DISTINCT organisation_id, collection, field, value, 1 FROM leaves
    WHERE row = NEW.row AND NOT EXISTS (
      SELECT 1
      FROM terms CROSS JOIN postings ON postings.term = terms.id AND postings.row = NEW.row
      WHERE terms.organisation_id = leaves.organisation_id
        AND terms.collection = leaves.collection
        AND terms.field = leaves.field
        AND terms.value = leaves.value
    )
    ON CONFLICT (organisation_id, collection, field, value) DO UPDATE SET count = count + 1;
  -- Not OR IGNORE: an upsert that fires the trigger would override it.
  INSERT INTO postings (term, row)
    SELECT terms.id, NEW.row
    FROM leaves CROSS JOIN terms USING (organisation_id, collection, field, value)
    WHERE leaves.row = NEW.row
    ON CONFLICT DO NOTHING;
END;

-- The index is kept by a record's document; where it belongs, and what it is called, stay.
CREATE TRIGGER records_moving BEFORE UPDATE OF row, organisation_id, collection, id ON records BEGIN
  SELECT raise(ABORT, 'A record cannot be moved: delete it and write it anew.');
END;

CREATE TRIGGER records_deleting BEFORE DELETE ON records BEGIN
  DELETE FROM postings WHERE row = OLD.row AND term IN (
    SELECT terms.id
    FROM leaves CROSS JOIN terms USING (organisation_id, collection, field, value)
    WHERE leaves.row = OLD.row
  );
END;

CREATE TRIGGER records_deleted AFTER DELETE ON records BEGIN
  UPDATE records SET position = position - 1
  WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection
    AND position > OLD.position;
END;

-- A value that no record holds any more leaves the database: it may be personal.
CREATE TRIGGER postings_deleted AFTER DELETE ON postings BEGIN
  UPDATE terms SET count = count - 1 WHERE id = OLD.term;
  DELETE FROM terms WHERE id = OLD.term AND count = 0;
END;
