-- The index as words of bits; docs/storage.md explains it by an example. `position` is a record's
-- ordinal within its organisation and collection: given once, never changed, never given again. The
-- row (term, block) of `words` tells which of the 496 records of ordinals 496 × block to
-- 496 × block + 495 have the term: bit b of word w stands for 496 × block + 62 × w + b. `count` is
-- the number of its bits that are set, and no row is without any. 62 bits keep a word positive.
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

-- A collection is a term as well: of the field '' and the value x'', which no leaf has. It is found
-- like any other, its `count` is the number of the collection's records, and `last` the highest
-- ordinal given in it. It stays when its last record goes.
ALTER TABLE terms ADD COLUMN last INTEGER NOT NULL DEFAULT 0;

INSERT INTO terms (organisation_id, collection, field, value, count, last)
  SELECT organisation_id, collection, '', x'', count(*), max(position)
  FROM records GROUP BY organisation_id, collection;

DROP INDEX records_by_position;
CREATE UNIQUE INDEX records_by_ordinal ON records (organisation_id, collection, position);

-- Each term of each record, and the bit that says so.
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

-- The records that hold each term, by their ordinals: `words` spelt out.
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

-- To insert an entry is to set its bit, and to count it.
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

-- To delete an entry is to clear its bit. A value that no record holds any more leaves the database:
-- it may be personal. What is left without a bit is deleted and not updated first: one row written
-- and not two.
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

DROP TRIGGER records_inserted;
DROP TRIGGER records_updating;
DROP TRIGGER records_updated;
DROP TRIGGER records_moving;
DROP TRIGGER records_deleting;
DROP TRIGGER records_deleted;
DROP TRIGGER postings_inserted;
DROP TRIGGER postings_deleted;
DROP TRIGGER blocks_grown;
DROP TRIGGER blocks_split;
DROP TRIGGER blocks_spanned;

CREATE TRIGGER records_inserted AFTER INSERT ON records BEGIN
  SELECT raise(ABORT, 'The position of a record must be 1 or more.') WHERE NEW.position < 1;
  INSERT INTO entries SELECT * FROM entries WHERE row = NEW.row;
  UPDATE terms SET last = max(last, NEW.position)
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection
    AND field = '' AND value = x'';
END;

-- An update clears the bits of leaves whose place in the new document holds something else, and sets
-- those that then are missing: the terms that stay are not written.
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

-- The index is kept by a record's document; where it belongs, its place, and what it is called, stay.
CREATE TRIGGER records_moving BEFORE UPDATE OF row, organisation_id, collection, id, position ON records BEGIN
  SELECT raise(ABORT, 'A record cannot be moved: delete it and write it anew.');
END;

CREATE TRIGGER records_deleting BEFORE DELETE ON records BEGIN
  DELETE FROM entries WHERE row = OLD.row;
END;

-- Sets the words of every block with this remainder, as the documents say. The migrations that follow
-- take a remainder each, so that each is done within the 30 seconds of a call.
CREATE VIEW blocks_filled AS SELECT 0 AS remainder;
CREATE TRIGGER blocks_filling INSTEAD OF INSERT ON blocks_filled BEGIN
  INSERT OR REPLACE INTO words (term, block, count, w0, w1, w2, w3, w4, w5, w6, w7)
    SELECT
      term, position / 496 AS block, count(*),
      sum(iif(position % 496 / 62 = 0, 1 << position % 62, 0)),
      sum(iif(position % 496 / 62 = 1, 1 << position % 62, 0)),
      sum(iif(position % 496 / 62 = 2, 1 << position % 62, 0)),
      sum(iif(position % 496 / 62 = 3, 1 << position % 62, 0)),
      sum(iif(position % 496 / 62 = 4, 1 << position % 62, 0)),
      sum(iif(position % 496 / 62 = 5, 1 << position % 62, 0)),
      sum(iif(position % 496 / 62 = 6, 1 << position % 62, 0)),
      sum(iif(position % 496 / 62 = 7, 1 << position % 62, 0))
    FROM (
      SELECT DISTINCT terms.id AS term, records.position
      FROM records
      CROSS JOIN leaves ON leaves.row = records.row
      CROSS JOIN terms ON terms.organisation_id = leaves.organisation_id
        AND terms.collection = leaves.collection
        AND terms.field = leaves.field
        AND terms.value = leaves.value
      WHERE records.position / 496 % 8 = NEW.remainder
      UNION ALL
      SELECT terms.id, records.position
      FROM records CROSS JOIN terms USING (organisation_id, collection)
      WHERE field = '' AND value = x'' AND records.position / 496 % 8 = NEW.remainder
    )
    GROUP BY term, block;
END;
