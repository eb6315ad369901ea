-- Counts along the postings of a term, so that a page of a filter begins where it begins and
-- nothing before it is walked. A block counts the postings behind the block before it, up to row
-- `last`; one of level 1 holds some 128 postings, one of level 2 spans some 128 of level 1 and ends
-- with one of them. A block is made when 128 have come behind the last, and split in two when it
-- has grown to 256. `terms.loose` counts the postings behind the last block: it is written with
-- `count`, so an appended posting costs no more rows but for the blocks themselves, two rows in 128
-- postings. The last page of a million matches reads some 1,000 rows so, and 1,000,000 without.
ALTER TABLE terms ADD COLUMN loose INTEGER NOT NULL DEFAULT 0;

CREATE TABLE blocks (
  term INTEGER NOT NULL,
  level INTEGER NOT NULL CHECK (level IN (1, 2)),
  last INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (term, level, last)
) STRICT, WITHOUT ROWID;

INSERT INTO blocks (term, level, last, count)
  SELECT term, 1, max(row), count(*)
  FROM (
    SELECT term, row, (row_number() OVER (PARTITION BY term ORDER BY row) - 1) / 128 AS block
    FROM postings
  )
  GROUP BY term, block HAVING count(*) = 128;

INSERT INTO blocks (term, level, last, count)
  SELECT term, 2, max(last), sum(count)
  FROM (
    SELECT term, last, count, (row_number() OVER (PARTITION BY term ORDER BY last) - 1) / 128 AS block
    FROM blocks
  )
  GROUP BY term, block HAVING count(*) = 128;

UPDATE terms SET loose = count % 128;

DROP TRIGGER records_inserted;
CREATE TRIGGER records_inserted AFTER INSERT ON records BEGIN
  INSERT INTO terms (organisation_id, collection, field, value, count, loose)
    SELECT DISTINCT organisation_id, collection, field, value, 1, 1 FROM leaves WHERE row = NEW.row
    ON CONFLICT (organisation_id, collection, field, value)
    DO UPDATE SET count = count + 1, loose = loose + 1;
  INSERT INTO postings (term, row)
    SELECT DISTINCT terms.id, NEW.row
    FROM leaves CROSS JOIN terms USING (organisation_id, collection, field, value)
    WHERE leaves.row = NEW.row;
END;

DROP TRIGGER records_updated;
CREATE TRIGGER records_updated AFTER UPDATE OF document ON records BEGIN
  INSERT INTO terms (organisation_id, collection, field, value, count, loose)
    SELECT DISTINCT organisation_id, collection, field, value, 1, 1 FROM leaves
    WHERE row = NEW.row AND NOT EXISTS (
      SELECT 1
      FROM terms CROSS JOIN postings ON postings.term = terms.id AND postings.row = NEW.row
      WHERE terms.organisation_id = leaves.organisation_id
        AND terms.collection = leaves.collection
        AND terms.field = leaves.field
        AND terms.value = leaves.value
    )
    ON CONFLICT (organisation_id, collection, field, value)
    DO UPDATE SET count = count + 1, loose = loose + 1;
  -- Not OR IGNORE: an upsert that fires the trigger would override it.
  INSERT INTO postings (term, row)
    SELECT terms.id, NEW.row
    FROM leaves CROSS JOIN terms USING (organisation_id, collection, field, value)
    WHERE leaves.row = NEW.row
    ON CONFLICT DO NOTHING;
END;

-- A posting comes counted as loose, and may belong in a block.
CREATE TRIGGER postings_inserted AFTER INSERT ON postings
WHEN (SELECT loose >= 128 FROM terms WHERE id = NEW.term)
  OR EXISTS (SELECT 1 FROM blocks WHERE term = NEW.term AND level = 1 AND last >= NEW.row)
BEGIN
  UPDATE terms SET loose = loose - 1
  WHERE id = NEW.term
    AND EXISTS (SELECT 1 FROM blocks WHERE term = NEW.term AND level = 1 AND last >= NEW.row);
  UPDATE blocks SET count = count + 1
  WHERE term = NEW.term AND level = 2 AND last = (
    SELECT min(last) FROM blocks WHERE term = NEW.term AND level = 2 AND last >= NEW.row
  );
  UPDATE blocks SET count = count + 1
  WHERE term = NEW.term AND level = 1 AND last = (
    SELECT min(last) FROM blocks WHERE term = NEW.term AND level = 1 AND last >= NEW.row
  );
  INSERT INTO blocks (term, level, last, count)
    SELECT term, 1, row, 128 FROM postings
    WHERE term = (SELECT id FROM terms WHERE id = NEW.term AND loose >= 128) AND row > (
      SELECT coalesce(max(last), 0) FROM blocks WHERE term = NEW.term AND level = 1
    )
    ORDER BY row LIMIT 1 OFFSET 127;
END;

CREATE TRIGGER blocks_grown AFTER UPDATE OF count ON blocks
WHEN NEW.level = 1 AND NEW.count > OLD.count AND NEW.count >= 256
BEGIN
  INSERT INTO blocks (term, level, last, count)
    SELECT term, 1, row, 128 FROM postings
    WHERE term = NEW.term AND row > (
      SELECT coalesce(max(last), 0) FROM blocks
      WHERE term = NEW.term AND level = 1 AND last < NEW.last
    )
    ORDER BY row LIMIT 1 OFFSET 127;
END;

-- A new block takes its postings from the block behind it, or from the loose ones.
CREATE TRIGGER blocks_split AFTER INSERT ON blocks WHEN NEW.level = 1 BEGIN
  UPDATE terms SET loose = loose - NEW.count
  WHERE id = NEW.term AND NOT EXISTS (
    SELECT 1 FROM blocks WHERE term = NEW.term AND level = 1 AND last > NEW.last
  );
  UPDATE blocks SET count = count - NEW.count
  WHERE term = NEW.term AND level = 1 AND last = (
    SELECT min(last) FROM blocks WHERE term = NEW.term AND level = 1 AND last > NEW.last
  );
  INSERT INTO blocks (term, level, last, count)
    SELECT NEW.term, 2, last, upto
    FROM (
      SELECT
        last,
        sum(count) OVER (ORDER BY last) AS upto,
        row_number() OVER (ORDER BY last) AS place,
        count(*) OVER () AS spanned
      FROM blocks
      WHERE term = NEW.term AND level = 1
        AND last > (
          SELECT coalesce(max(last), 0) FROM blocks
          WHERE term = NEW.term AND level = 2 AND last < NEW.last
        )
        AND last <= (
          SELECT coalesce(min(last), 9223372036854775807) FROM blocks
          WHERE term = NEW.term AND level = 2 AND last >= NEW.last
        )
    )
    WHERE place = 128 AND (
      spanned >= 256 OR NOT EXISTS (
        SELECT 1 FROM blocks WHERE term = NEW.term AND level = 2 AND last >= NEW.last
      )
    );
END;

CREATE TRIGGER blocks_spanned AFTER INSERT ON blocks WHEN NEW.level = 2 BEGIN
  UPDATE blocks SET count = count - NEW.count
  WHERE term = NEW.term AND level = 2 AND last = (
    SELECT min(last) FROM blocks WHERE term = NEW.term AND level = 2 AND last > NEW.last
  );
END;

-- A value that no record holds any more leaves the database: it may be personal. A block may come
-- to count nothing, but keeps its place: blocks of level 2 end with it.
DROP TRIGGER postings_deleted;
CREATE TRIGGER postings_deleted AFTER DELETE ON postings BEGIN
  UPDATE terms SET
    count = count - 1,
    loose = loose - NOT EXISTS (
      SELECT 1 FROM blocks WHERE term = OLD.term AND level = 1 AND last >= OLD.row
    )
  WHERE id = OLD.term;
  UPDATE blocks SET count = count - 1
  WHERE term = OLD.term AND level = 1 AND last = (
    SELECT min(last) FROM blocks WHERE term = OLD.term AND level = 1 AND last >= OLD.row
  );
  UPDATE blocks SET count = count - 1
  WHERE term = OLD.term AND level = 2 AND last = (
    SELECT min(last) FROM blocks WHERE term = OLD.term AND level = 2 AND last >= OLD.row
  );
  DELETE FROM blocks WHERE term = (SELECT id FROM terms WHERE id = OLD.term AND count = 0);
  DELETE FROM terms WHERE id = OLD.term AND count = 0;
END;
