-- The last deletion of each record, for the change feed; remembered for at least 90 days. `audience` says
-- who sees it: 'all', or for a case note credentials that see 'private' notes or only 'public' ones.
CREATE TABLE deletions (
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  at TEXT NOT NULL,
  audience TEXT NOT NULL DEFAULT 'all' CHECK (audience IN ('all', 'private', 'public')),
  PRIMARY KEY (organisation_id, collection, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX deletions_by_version ON deletions (organisation_id, version);

-- A record that is written without a version, such as in SQL typed at a console, gets the next one of its
-- organisation.
CREATE TRIGGER records_unversioned AFTER INSERT ON records WHEN NEW.version = 0 BEGIN
  UPDATE records SET
    version = (SELECT version + 1 FROM organisations WHERE id = NEW.organisation_id),
    first_version = (SELECT version + 1 FROM organisations WHERE id = NEW.organisation_id),
    created = (
      SELECT max(changed, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) FROM organisations
      WHERE id = NEW.organisation_id
    ),
    changed = (
      SELECT max(changed, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) FROM organisations
      WHERE id = NEW.organisation_id
    )
  WHERE row = NEW.row;
END;

CREATE TRIGGER records_changed_unversioned AFTER UPDATE OF document ON records
WHEN NEW.version = OLD.version
BEGIN
  UPDATE records SET
    version = (SELECT version + 1 FROM organisations WHERE id = NEW.organisation_id),
    changed = (
      SELECT max(changed, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) FROM organisations
      WHERE id = NEW.organisation_id
    )
  WHERE row = NEW.row;
END;

CREATE TRIGGER records_changed AFTER UPDATE OF version ON records BEGIN
  UPDATE organisations SET version = NEW.version, changed = NEW.changed
  WHERE id = NEW.organisation_id AND version < NEW.version;
END;

-- A case note that becomes private is deleted for credentials that see only public notes.
CREATE TRIGGER notes_changed AFTER UPDATE OF document ON records
WHEN NEW.collection = 'case-notes'
  AND (OLD.document ->> '$.isPrivate' IS 0) <> (NEW.document ->> '$.isPrivate' IS 0)
BEGIN
  DELETE FROM deletions
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id;
  INSERT INTO deletions (organisation_id, collection, id, version, at, audience)
    SELECT organisation_id, collection, id, version, changed, 'public' FROM records
    WHERE row = NEW.row AND document ->> '$.isPrivate' IS NOT 0;
END;

CREATE TRIGGER notes_versioned AFTER UPDATE OF version ON records
WHEN NEW.collection = 'case-notes'
BEGIN
  UPDATE deletions SET version = NEW.version, at = NEW.changed
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id
    AND version = OLD.version;
END;

-- A new record is no longer deleted, except for credentials that cannot see it.
CREATE TRIGGER records_created AFTER INSERT ON records BEGIN
  UPDATE organisations SET version = NEW.version, changed = NEW.changed
  WHERE id = NEW.organisation_id AND version < NEW.version;
  DELETE FROM deletions
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id
    AND (
      audience = 'private' OR NEW.collection <> 'case-notes' OR NEW.document ->> '$.isPrivate' IS 0
    );
END;

CREATE TRIGGER notes_created AFTER INSERT ON records
WHEN NEW.collection = 'case-notes' AND NEW.document ->> '$.isPrivate' IS NOT 0
BEGIN
  UPDATE deletions SET audience = 'public'
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id
    AND audience = 'all';
END;

-- A deletion takes a version and clears away a few old deletions.
CREATE TRIGGER records_deleted AFTER DELETE ON records BEGIN
  UPDATE organisations SET
    version = version + 1,
    changed = max(changed, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    deletions_forgotten_to = coalesce((
      SELECT max(version)
      FROM (
        SELECT version, at FROM deletions WHERE organisation_id = OLD.organisation_id
        ORDER BY version LIMIT 3
      )
      WHERE at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-90 days')
    ), deletions_forgotten_to)
  WHERE id = OLD.organisation_id;
  DELETE FROM deletions WHERE organisation_id = OLD.organisation_id
    AND version <= (SELECT deletions_forgotten_to FROM organisations WHERE id = OLD.organisation_id);
  INSERT INTO deletions (organisation_id, collection, id, version, at, audience)
    SELECT id, OLD.collection, OLD.id, version, changed,
      iif(OLD.collection = 'case-notes' AND OLD.document ->> '$.isPrivate' IS NOT 0, 'private', 'all')
    FROM organisations WHERE id = OLD.organisation_id
    ON CONFLICT (organisation_id, collection, id)
    DO UPDATE SET version = excluded.version, at = excluded.at, audience = 'all';
END;

-- Who changed which fields of a record, and when: names of fields, never values. A record itself names its
-- creator, so only later changes take a row. `author` is JSON (src/model/author.ts), NULL if unknown, and
-- `fields` a JSON list.
CREATE TABLE history (
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  at TEXT NOT NULL,
  change TEXT NOT NULL CHECK (change IN ('created', 'updated', 'deleted')),
  author TEXT,
  fields TEXT NOT NULL,
  PRIMARY KEY (organisation_id, collection, id, version)
) STRICT, WITHOUT ROWID;

-- The last 50 changes of a record are kept. In an organisation with webhooks, `field_versions` of the record
-- also gets the version of each field's last change.
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

-- The service notes a deletion before it deletes; any other deletion has no author. An erased record
-- leaves no history.
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

-- A record's history goes with the memory of its deletion.
CREATE TRIGGER history_forgotten AFTER DELETE ON deletions BEGIN
  DELETE FROM history
  WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection AND id = OLD.id
    AND NOT EXISTS (
      SELECT 1 FROM records WHERE collection = OLD.collection AND id = OLD.id
        AND organisation_id = OLD.organisation_id
    );
END;

-- Requests with an Idempotency-Key. `id` is the digest of the principal and the key, `request_hash` that
-- of the body; `response` is JSON, or NULL for a member.
CREATE TABLE idempotency_keys (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  record_id TEXT NOT NULL,
  created TEXT NOT NULL,
  response TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created);
