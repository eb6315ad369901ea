-- The bitmap index (docs/storage.md). A term is one value of one field; `count` is the number of
-- records that have it. The term with the empty field and the value x'' is the whole
-- collection, and its `last` is the highest ordinal assigned so far. `value` is as in the view leaves.
CREATE TABLE terms (
  id INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  field TEXT NOT NULL,
  value ANY NOT NULL,
  count INTEGER NOT NULL,
  last INTEGER NOT NULL DEFAULT 0,
  UNIQUE (organisation_id, collection, field, value)
) STRICT;

-- The records of a block of 496 ordinals that have a term: eight columns of 62 bits, so that an integer
-- stays positive. `count` is the number of bits set; no row is without any.
CREATE TABLE words (
  term INTEGER NOT NULL,
  block INTEGER NOT NULL,
  count INTEGER NOT NULL,
  w0 INTEGER NOT NULL,
  w1 INTEGER NOT NULL,
  w2 INTEGER NOT NULL,
  w3 INTEGER NOT NULL,
  w4 INTEGER NOT NULL,
  w5 INTEGER NOT NULL,
  w6 INTEGER NOT NULL,
  w7 INTEGER NOT NULL,
  PRIMARY KEY (term, block)
) STRICT, WITHOUT ROWID;

-- The values that filters find: scalars, and the scalar elements of lists, but nothing inside the objects
-- of a list. `field` is the dotted path; a person's field id is one key, dots included. In `value`,
-- booleans are one byte, so that no text equals them, and a text over 256 bytes is cut to a blob of 256:
-- a filter with a longer text compares `atom` too.
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

-- The entries of the index for a record: its terms, and the bit of its ordinal.
CREATE VIEW entries AS
SELECT DISTINCT
  leaves.row,
  leaves.organisation_id,
  leaves.collection,
  leaves.field,
  leaves.value,
  position / 496 AS block,
  position % 496 / 62 AS word,
  1 << position % 62 AS bit
FROM leaves CROSS JOIN records USING (row)
UNION ALL
SELECT
  row, organisation_id, collection, '', x'', position / 496, position % 496 / 62, 1 << position % 62
FROM records;

-- The ordinals of the records that have a term.
CREATE VIEW holders AS
SELECT words.term, ordinal.value AS position
FROM words CROSS JOIN json_each('[' || (
  SELECT group_concat((
    SELECT group_concat(496 * block + 62 * word + bit.column1)
    FROM (
      VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15),
        (16), (17), (18), (19), (20), (21), (22), (23), (24), (25), (26), (27), (28), (29), (30),
        (31), (32), (33), (34), (35), (36), (37), (38), (39), (40), (41), (42), (43), (44), (45),
        (46), (47), (48), (49), (50), (51), (52), (53), (54), (55), (56), (57), (58), (59), (60), (61)
    ) AS bit
    WHERE bits >> bit.column1 & 1
  ))
  FROM (
    SELECT column1 AS word, CASE column1
      WHEN 0 THEN w0 WHEN 1 THEN w1 WHEN 2 THEN w2 WHEN 3 THEN w3
      WHEN 4 THEN w4 WHEN 5 THEN w5 WHEN 6 THEN w6 ELSE w7 END AS bits
    FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7))
  )
  WHERE bits <> 0
) || ']') AS ordinal;

-- Adding an entry sets its bit; deleting it clears the bit, and removes a row or term that becomes empty.
CREATE TRIGGER entries_inserted INSTEAD OF INSERT ON entries BEGIN
  INSERT INTO terms (organisation_id, collection, field, value, count)
    VALUES (NEW.organisation_id, NEW.collection, NEW.field, NEW.value, 1)
    ON CONFLICT (organisation_id, collection, field, value) DO UPDATE SET count = count + 1;
  INSERT INTO words (term, block, count, w0, w1, w2, w3, w4, w5, w6, w7)
    SELECT
      id, NEW.block, 1,
      iif(NEW.word = 0, NEW.bit, 0),
      iif(NEW.word = 1, NEW.bit, 0),
      iif(NEW.word = 2, NEW.bit, 0),
      iif(NEW.word = 3, NEW.bit, 0),
      iif(NEW.word = 4, NEW.bit, 0),
      iif(NEW.word = 5, NEW.bit, 0),
      iif(NEW.word = 6, NEW.bit, 0),
      iif(NEW.word = 7, NEW.bit, 0)
    FROM terms
    WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection
      AND field = NEW.field AND value = NEW.value
    ON CONFLICT (term, block) DO UPDATE SET
      count = count + 1,
      w0 = w0 | excluded.w0,
      w1 = w1 | excluded.w1,
      w2 = w2 | excluded.w2,
      w3 = w3 | excluded.w3,
      w4 = w4 | excluded.w4,
      w5 = w5 | excluded.w5,
      w6 = w6 | excluded.w6,
      w7 = w7 | excluded.w7;
END;

CREATE TRIGGER entries_deleted INSTEAD OF DELETE ON entries BEGIN
  DELETE FROM words
  WHERE block = OLD.block AND count = 1 AND term = (
    SELECT id FROM terms
    WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection
      AND field = OLD.field AND value = OLD.value
  );
  UPDATE words SET
    count = count - 1,
    w0 = w0 & ~iif(OLD.word = 0, OLD.bit, 0),
    w1 = w1 & ~iif(OLD.word = 1, OLD.bit, 0),
    w2 = w2 & ~iif(OLD.word = 2, OLD.bit, 0),
    w3 = w3 & ~iif(OLD.word = 3, OLD.bit, 0),
    w4 = w4 & ~iif(OLD.word = 4, OLD.bit, 0),
    w5 = w5 & ~iif(OLD.word = 5, OLD.bit, 0),
    w6 = w6 & ~iif(OLD.word = 6, OLD.bit, 0),
    w7 = w7 & ~iif(OLD.word = 7, OLD.bit, 0)
  WHERE block = OLD.block AND term = (
    SELECT id FROM terms
    WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection
      AND field = OLD.field AND value = OLD.value
  );
  DELETE FROM terms
  WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection
    AND field = OLD.field AND value = OLD.value AND count = 1 AND last = 0;
  UPDATE terms SET count = count - 1
  WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection
    AND field = OLD.field AND value = OLD.value;
END;

-- A change of a record writes only the entries with other values.
CREATE TRIGGER records_inserted AFTER INSERT ON records BEGIN
  SELECT raise(ABORT, 'The position of a record must be 1 or more.') WHERE NEW.position < 1;
  INSERT INTO entries SELECT * FROM entries WHERE row = NEW.row;
  UPDATE terms SET last = max(last, NEW.position)
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection
    AND field = '' AND value = x'';
END;

CREATE TRIGGER records_updating BEFORE UPDATE OF document ON records BEGIN
  DELETE FROM entries WHERE row = OLD.row AND (field, value) IN (
    SELECT field, value FROM leaves
    WHERE row = OLD.row AND (
      json_type(NEW.document, fullkey) IS NOT type OR NEW.document ->> fullkey IS NOT atom
    )
  );
END;

CREATE TRIGGER records_updated AFTER UPDATE OF document ON records BEGIN
  INSERT INTO entries SELECT * FROM entries
    WHERE row = NEW.row AND NOT EXISTS (
      SELECT 1
      FROM terms CROSS JOIN words ON words.term = terms.id AND words.block = entries.block
      WHERE terms.organisation_id = entries.organisation_id
        AND terms.collection = entries.collection
        AND terms.field = entries.field
        AND terms.value = entries.value
        AND entries.bit & CASE entries.word
          WHEN 0 THEN w0 WHEN 1 THEN w1 WHEN 2 THEN w2 WHEN 3 THEN w3
          WHEN 4 THEN w4 WHEN 5 THEN w5 WHEN 6 THEN w6 ELSE w7 END
    );
END;

CREATE TRIGGER records_moving BEFORE UPDATE OF row, organisation_id, collection, id, position ON records BEGIN
  SELECT raise(ABORT, 'A record cannot be moved: delete it and create it again.');
END;

CREATE TRIGGER records_deleting BEFORE DELETE ON records BEGIN
  DELETE FROM entries WHERE row = OLD.row;
END;

-- The words of a name after the first, for searching: the first is found as the start of the whole text.
-- A text counts as a name where the field's id contains 'name'.
CREATE TABLE name_words (
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  word TEXT NOT NULL,
  term INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, collection, word, term)
) STRICT, WITHOUT ROWID;

CREATE VIEW further_words AS
SELECT DISTINCT terms.organisation_id, terms.collection, item.value AS word, terms.id AS term
FROM terms CROSS JOIN json_each(
  '[' || replace(json_quote(replace(lower(terms.value), '-', ' ')), ' ', '","') || ']'
) AS item
WHERE item.key > 0 AND item.value <> '';

CREATE TRIGGER names_inserted AFTER INSERT ON terms
WHEN NEW.field LIKE '%name%' AND typeof(NEW.value) = 'text'
  AND NEW.collection IN ('members', 'volunteers', 'partners')
BEGIN
  INSERT INTO name_words (organisation_id, collection, word, term)
    SELECT organisation_id, collection, word, term FROM further_words WHERE term = NEW.id;
END;

CREATE TRIGGER names_deleting BEFORE DELETE ON terms
WHEN OLD.field LIKE '%name%' AND typeof(OLD.value) = 'text'
  AND OLD.collection IN ('members', 'volunteers', 'partners')
BEGIN
  DELETE FROM name_words
  WHERE (organisation_id, collection, word, term) IN (
    SELECT organisation_id, collection, word, term FROM further_words WHERE term = OLD.id
  );
END;
