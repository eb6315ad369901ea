-- An entry of the index for the bookings that were made here: on the public pages or the dashboard, and by
-- no import. Their `attending` says that somebody booked; that of another system says that somebody came.

-- A restored booking has another author, and was still made where it was first made. So `created_by` of a
-- record that existed before has an `origin`: the author of its first creation, without a name.
CREATE VIEW booking_origins AS
SELECT organisation_id, id, version,
  json_remove(coalesce(author -> '$.origin', author, 'null'), '$.name', '$.id') AS origin
FROM history
WHERE collection = 'bookings' AND change = 'created';

CREATE VIEW bookings_made_here AS
SELECT
  row, organisation_id, collection, '$madeHere' AS field, x'01' AS value,
  ordinal / 496 AS block, ordinal % 496 / 62 AS part, 1 << ordinal % 62 AS bit
FROM (SELECT *, coalesce(created_by -> '$.origin', created_by) AS origin FROM records)
WHERE collection = 'bookings' AND (
  origin ->> '$.by' = 'public page'
  OR origin ->> '$.through' = 'dashboard' AND origin ->> '$.import' IS NULL
);

UPDATE records SET created_by = json_set(created_by, '$.origin', json(before.origin))
FROM (
  SELECT organisation_id, id, origin, min(version) FROM booking_origins GROUP BY organisation_id, id
) AS before
WHERE records.collection = 'bookings' AND records.id = before.id
  AND records.organisation_id = before.organisation_id AND created_by IS NOT NULL;

INSERT INTO index_entries (row, organisation_id, collection, field, value, block, part, bit)
SELECT row, organisation_id, collection, field, value, block, part, bit FROM bookings_made_here;

CREATE TRIGGER bookings_made_here_inserted AFTER INSERT ON records
WHEN NEW.collection = 'bookings' AND NEW.created_by IS NOT NULL
BEGIN
  -- A record that is moved to another database has its origin already, and its history follows it.
  UPDATE records SET created_by = json_set(created_by, '$.origin', json((
    SELECT origin FROM booking_origins
    WHERE organisation_id = NEW.organisation_id AND id = NEW.id
    ORDER BY version LIMIT 1
  )))
  WHERE row = NEW.row AND NEW.created_by -> '$.origin' IS NULL AND EXISTS (
    SELECT 1 FROM booking_origins WHERE organisation_id = NEW.organisation_id AND id = NEW.id
  );
  INSERT INTO index_entries (row, organisation_id, collection, field, value, block, part, bit)
    SELECT row, organisation_id, collection, field, value, block, part, bit
    FROM bookings_made_here WHERE row = NEW.row;
END;

-- Clears the bit as index_entries_deleted does, whose view has no such entries.
CREATE TRIGGER bookings_made_here_deleted INSTEAD OF DELETE ON bookings_made_here BEGIN
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
    AND field = OLD.field AND value = OLD.value AND count = 1;
  UPDATE terms SET count = count - 1
  WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection
    AND field = OLD.field AND value = OLD.value;
END;

CREATE TRIGGER bookings_made_here_deleting BEFORE DELETE ON records
WHEN OLD.collection = 'bookings' AND OLD.created_by IS NOT NULL
BEGIN
  DELETE FROM bookings_made_here WHERE row = OLD.row;
END;
