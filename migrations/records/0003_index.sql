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

-- The records of a block of 496 ordinals that have a term: eight parts of 62 bits, so that an integer
-- stays positive. `count` is the number of bits set; no row is without any.
CREATE TABLE bitmaps (
  term_id INTEGER NOT NULL,
  block INTEGER NOT NULL,
  count INTEGER NOT NULL,
  bits0 INTEGER NOT NULL,
  bits1 INTEGER NOT NULL,
  bits2 INTEGER NOT NULL,
  bits3 INTEGER NOT NULL,
  bits4 INTEGER NOT NULL,
  bits5 INTEGER NOT NULL,
  bits6 INTEGER NOT NULL,
  bits7 INTEGER NOT NULL,
  PRIMARY KEY (term_id, block)
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

-- The entries of the index for a record: its terms, and where the bit of its ordinal is: the block, the
-- part from 0 to 7, and the value of the bit in that part.
CREATE VIEW index_entries AS
SELECT DISTINCT
  leaves.row,
  leaves.organisation_id,
  leaves.collection,
  leaves.field,
  leaves.value,
  ordinal / 496 AS block,
  ordinal % 496 / 62 AS part,
  1 << ordinal % 62 AS bit
FROM leaves CROSS JOIN records USING (row)
UNION ALL
SELECT
  row, organisation_id, collection, '', x'', ordinal / 496, ordinal % 496 / 62, 1 << ordinal % 62
FROM records;

-- The ordinals of the records that have a term.
CREATE VIEW term_ordinals AS
SELECT bitmaps.term_id, item.value AS ordinal
FROM bitmaps CROSS JOIN json_each('[' || (
  SELECT group_concat((
    SELECT group_concat(496 * block + 62 * part + bit.column1)
    FROM (
      VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15),
        (16), (17), (18), (19), (20), (21), (22), (23), (24), (25), (26), (27), (28), (29), (30),
        (31), (32), (33), (34), (35), (36), (37), (38), (39), (40), (41), (42), (43), (44), (45),
        (46), (47), (48), (49), (50), (51), (52), (53), (54), (55), (56), (57), (58), (59), (60), (61)
    ) AS bit
    WHERE bits >> bit.column1 & 1
  ))
  FROM (
    SELECT column1 AS part, CASE column1
      WHEN 0 THEN bits0 WHEN 1 THEN bits1 WHEN 2 THEN bits2 WHEN 3 THEN bits3
      WHEN 4 THEN bits4 WHEN 5 THEN bits5 WHEN 6 THEN bits6 ELSE bits7 END AS bits
    FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7))
  )
  WHERE bits <> 0
) || ']') AS item;

-- Adding an entry sets its bit; deleting it clears the bit, and removes a bitmap or term that becomes empty.
CREATE TRIGGER index_entries_inserted INSTEAD OF INSERT ON index_entries BEGIN
  INSERT INTO terms (organisation_id, collection, field, value, count)
    VALUES (NEW.organisation_id, NEW.collection, NEW.field, NEW.value, 1)
    ON CONFLICT (organisation_id, collection, field, value) DO UPDATE SET count = count + 1;
  INSERT INTO bitmaps (term_id, block, count, bits0, bits1, bits2, bits3, bits4, bits5, bits6, bits7)
    SELECT
      id, NEW.block, 1,
      iif(NEW.part = 0, NEW.bit, 0),
      iif(NEW.part = 1, NEW.bit, 0),
      iif(NEW.part = 2, NEW.bit, 0),
      iif(NEW.part = 3, NEW.bit, 0),
      iif(NEW.part = 4, NEW.bit, 0),
      iif(NEW.part = 5, NEW.bit, 0),
      iif(NEW.part = 6, NEW.bit, 0),
      iif(NEW.part = 7, NEW.bit, 0)
    FROM terms
    WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection
      AND field = NEW.field AND value = NEW.value
    ON CONFLICT (term_id, block) DO UPDATE SET
      count = count + 1,
      bits0 = bits0 | excluded.bits0,
      bits1 = bits1 | excluded.bits1,
      bits2 = bits2 | excluded.bits2,
      bits3 = bits3 | excluded.bits3,
      bits4 = bits4 | excluded.bits4,
      bits5 = bits5 | excluded.bits5,
      bits6 = bits6 | excluded.bits6,
      bits7 = bits7 | excluded.bits7;
END;

CREATE TRIGGER index_entries_deleted INSTEAD OF DELETE ON index_entries BEGIN
  DELETE FROM bitmaps
  WHERE block = OLD.block AND count = 1 AND term_id = (
    SELECT id FROM terms
    WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection
      AND field = OLD.field AND value = OLD.value
  );
  UPDATE bitmaps SET
    count = count - 1,
    bits0 = bits0 & ~iif(OLD.part = 0, OLD.bit, 0),
    bits1 = bits1 & ~iif(OLD.part = 1, OLD.bit, 0),
    bits2 = bits2 & ~iif(OLD.part = 2, OLD.bit, 0),
    bits3 = bits3 & ~iif(OLD.part = 3, OLD.bit, 0),
    bits4 = bits4 & ~iif(OLD.part = 4, OLD.bit, 0),
    bits5 = bits5 & ~iif(OLD.part = 5, OLD.bit, 0),
    bits6 = bits6 & ~iif(OLD.part = 6, OLD.bit, 0),
    bits7 = bits7 & ~iif(OLD.part = 7, OLD.bit, 0)
  WHERE block = OLD.block AND term_id = (
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
  SELECT raise(ABORT, 'The ordinal of a record must be 1 or more.') WHERE NEW.ordinal < 1;
  INSERT INTO index_entries (row, organisation_id, collection, field, value, block, part, bit)
    SELECT row, organisation_id, collection, field, value, block, part, bit
    FROM index_entries WHERE row = NEW.row;
  UPDATE terms SET last = max(last, NEW.ordinal)
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection
    AND field = '' AND value = x'';
END;

CREATE TRIGGER records_updating BEFORE UPDATE OF document ON records BEGIN
  DELETE FROM index_entries WHERE row = OLD.row AND (field, value) IN (
    SELECT field, value FROM leaves
    WHERE row = OLD.row AND (
      json_type(NEW.document, fullkey) IS NOT type OR NEW.document ->> fullkey IS NOT atom
    )
  );
END;

CREATE TRIGGER records_updated AFTER UPDATE OF document ON records BEGIN
  INSERT INTO index_entries (row, organisation_id, collection, field, value, block, part, bit)
    SELECT row, organisation_id, collection, field, value, block, part, bit
    FROM index_entries
    WHERE row = NEW.row AND NOT EXISTS (
      SELECT 1
      FROM terms
      CROSS JOIN bitmaps ON bitmaps.term_id = terms.id AND bitmaps.block = index_entries.block
      WHERE terms.organisation_id = index_entries.organisation_id
        AND terms.collection = index_entries.collection
        AND terms.field = index_entries.field
        AND terms.value = index_entries.value
        AND index_entries.bit & CASE index_entries.part
          WHEN 0 THEN bits0 WHEN 1 THEN bits1 WHEN 2 THEN bits2 WHEN 3 THEN bits3
          WHEN 4 THEN bits4 WHEN 5 THEN bits5 WHEN 6 THEN bits6 ELSE bits7 END
    );
END;

CREATE TRIGGER records_moving BEFORE UPDATE OF row, organisation_id, collection, id, ordinal ON records BEGIN
  SELECT raise(ABORT, 'A record cannot be moved: delete it and create it again.');
END;

CREATE TRIGGER records_deleting BEFORE DELETE ON records BEGIN
  DELETE FROM index_entries WHERE row = OLD.row;
END;

-- The words of a name after the first, for searching: the first is found as the start of the whole text.
-- A text counts as a name where the field's id contains 'name'.
CREATE TABLE name_words (
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  word TEXT NOT NULL,
  term_id INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, collection, word, term_id)
) STRICT, WITHOUT ROWID;

CREATE VIEW further_words AS
SELECT DISTINCT terms.organisation_id, terms.collection, item.value AS word, terms.id AS term_id
FROM terms CROSS JOIN json_each(
  '[' || replace(json_quote(replace(lower(terms.value), '-', ' ')), ' ', '","') || ']'
) AS item
WHERE item.key > 0 AND item.value <> '';

CREATE TRIGGER names_inserted AFTER INSERT ON terms
WHEN NEW.field LIKE '%name%' AND typeof(NEW.value) = 'text'
  AND NEW.collection IN ('members', 'volunteers', 'partners')
BEGIN
  INSERT INTO name_words (organisation_id, collection, word, term_id)
    SELECT organisation_id, collection, word, term_id FROM further_words WHERE term_id = NEW.id;
END;

CREATE TRIGGER names_deleting BEFORE DELETE ON terms
WHEN OLD.field LIKE '%name%' AND typeof(OLD.value) = 'text'
  AND OLD.collection IN ('members', 'volunteers', 'partners')
BEGIN
  DELETE FROM name_words
  WHERE (organisation_id, collection, word, term_id) IN (
    SELECT organisation_id, collection, word, term_id FROM further_words WHERE term_id = OLD.id
  );
END;
