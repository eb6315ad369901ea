-- Previous versions: `replaced` is the document that a change replaced or deleted. The organisation
-- chooses for how many days it stays; the cron then clears it. A merge notes in `merged_into` the id of
-- the person who stays, whose erasure also clears the duplicate's document.
ALTER TABLE history ADD COLUMN replaced TEXT;
ALTER TABLE history ADD COLUMN merged_into TEXT;
ALTER TABLE organisations ADD COLUMN version_days INTEGER NOT NULL DEFAULT 30
  CHECK (version_days BETWEEN 0 AND 90);

CREATE INDEX history_with_documents ON history (organisation_id, at) WHERE replaced IS NOT NULL;

CREATE INDEX history_of_merges ON history (organisation_id, collection, merged_into)
  WHERE merged_into IS NOT NULL;

-- As in 0004_changes.sql, with the replaced document.
DROP TRIGGER records_history;

CREATE TRIGGER records_history AFTER UPDATE OF document ON records
WHEN NEW.document <> OLD.document
BEGIN
  INSERT INTO history (organisation_id, collection, id, version, at, change, author, fields, replaced)
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
      ),
      iif(version_days > 0, OLD.document, NULL)
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

-- As in 0004_changes.sql; the row of a deletion gets the document, whoever noted the deletion.
DROP TRIGGER history_of_deleted;

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
  UPDATE history SET replaced = OLD.document
  WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection AND id = OLD.id
    AND version > OLD.version AND change = 'deleted' AND EXISTS (
      SELECT 1 FROM organisations WHERE id = OLD.organisation_id AND version_days > 0
    );
END;
