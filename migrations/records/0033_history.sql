-- Who changed which fields of a record, and when: names of fields, and no value. A record itself says who
-- made it, so only a change of one takes a row. Whoever writes names the author as JSON (src/model/author.ts)
-- and for which version that holds: SQL typed at a console, and the Worker of a version before, name none.
ALTER TABLE records ADD COLUMN created_by TEXT;
ALTER TABLE records ADD COLUMN changed_by TEXT;
ALTER TABLE records ADD COLUMN changed_by_version INTEGER;

CREATE TABLE history (
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  at TEXT NOT NULL,
  change TEXT NOT NULL CHECK (change IN ('created', 'updated', 'deleted')),
  -- NULL where nobody knows.
  author TEXT,
  -- The names of the fields, as a JSON list.
  fields TEXT NOT NULL,
  PRIMARY KEY (organisation_id, collection, id, version)
) STRICT, WITHOUT ROWID;

-- The last 50 changes of a record are kept. Where there are webhooks, the version of each field's last
-- change is noted in the record as well (0024).
DROP TRIGGER records_fields_changed;

CREATE TRIGGER records_history AFTER UPDATE OF document ON records
WHEN NEW.document <> OLD.document
BEGIN
  INSERT INTO history (organisation_id, collection, id, version, at, change, author, fields)
    SELECT organisation_id, collection, records.id,
      -- Written without a version, which the trigger for that may give it before this one or after.
      iif(records.version = OLD.version, organisations.version + 1, records.version),
      iif(records.version = OLD.version,
        max(organisations.changed, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), records.changed),
      'updated',
      iif(changed_by_version = records.version AND records.version <> OLD.version, changed_by, NULL),
      (
        SELECT json_group_array(key) FROM (
          SELECT key FROM (
            SELECT key, type, value FROM json_each(NEW.document)
            EXCEPT SELECT key, type, value FROM json_each(OLD.document)
          )
          UNION
          SELECT key FROM (
            SELECT key, type, value FROM json_each(OLD.document)
            EXCEPT SELECT key, type, value FROM json_each(NEW.document)
          )
        )
        WHERE substr(key, 1, 1) <> '$'
      )
    FROM records CROSS JOIN organisations ON organisations.id = records.organisation_id
    WHERE row = NEW.row;
  UPDATE records SET field_versions = json_patch(coalesce(field_versions, '{}'), (
    SELECT json_group_object(field.value, last.version)
    FROM (
      SELECT version, fields FROM history
      WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id
      ORDER BY version DESC LIMIT 1
    ) AS last CROSS JOIN json_each(last.fields) AS field
  ))
  WHERE row = NEW.row
    AND EXISTS (SELECT 1 FROM webhooks WHERE organisation_id = NEW.organisation_id);
  DELETE FROM history
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id
    AND version <= (
      SELECT version FROM history
      WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id
      ORDER BY version DESC LIMIT 1 OFFSET 50
    );
END;

-- Whoever deletes notes that before; if not, the deletion is nobody's. Who made the record is not in it any more.
-- Of somebody who is erased, nothing of this stays (src/store/write/erase.ts).
CREATE TRIGGER history_of_deleted AFTER DELETE ON records
WHEN OLD.changed_by IS NOT 'erased'
BEGIN
  INSERT INTO history (organisation_id, collection, id, version, at, change, author, fields)
    SELECT OLD.organisation_id, OLD.collection, OLD.id, OLD.first_version, OLD.created, 'created',
      OLD.created_by, '[]'
    UNION ALL
    SELECT id, OLD.collection, OLD.id, version + 1,
      max(changed, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), 'deleted', NULL, '[]'
    FROM organisations
    WHERE id = OLD.organisation_id AND NOT EXISTS (
      SELECT 1 FROM history WHERE organisation_id = OLD.organisation_id
        AND collection = OLD.collection AND id = OLD.id AND version > OLD.version
    );
END;

-- A record's history goes when its deletion is remembered no more.
CREATE TRIGGER history_forgotten AFTER DELETE ON deletions BEGIN
  DELETE FROM history
  WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection AND id = OLD.id
    AND NOT EXISTS (
      SELECT 1 FROM records WHERE collection = OLD.collection AND id = OLD.id
        AND organisation_id = OLD.organisation_id
    );
END;
