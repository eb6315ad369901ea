-- The web origins that keys list in `restrictions`, without revoked keys: a browser's preflight request
-- carries no key, so it looks here. Triggers keep the table up to date whatever writes a key.
CREATE TABLE key_origins (
  origin TEXT NOT NULL,
  key_id TEXT NOT NULL REFERENCES api_keys (id),
  PRIMARY KEY (origin, key_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER key_origins_inserted AFTER INSERT ON api_keys
WHEN NEW.revoked IS NULL AND NEW.restrictions ->> '$.origins' IS NOT NULL
BEGIN
  INSERT OR IGNORE INTO key_origins SELECT value, NEW.id FROM json_each(NEW.restrictions, '$.origins');
END;

CREATE TRIGGER key_origins_changed AFTER UPDATE OF restrictions, revoked ON api_keys
WHEN OLD.restrictions ->> '$.origins' IS NOT NULL OR NEW.restrictions ->> '$.origins' IS NOT NULL
BEGIN
  DELETE FROM key_origins
  WHERE origin IN (SELECT value FROM json_each(OLD.restrictions, '$.origins')) AND key_id = OLD.id;
  INSERT OR IGNORE INTO key_origins
  SELECT value, NEW.id FROM json_each(NEW.restrictions, '$.origins') WHERE NEW.revoked IS NULL;
END;

-- Before, because the rows refer to the key.
CREATE TRIGGER key_origins_deleted BEFORE DELETE ON api_keys WHEN OLD.restrictions ->> '$.origins' IS NOT NULL
BEGIN
  DELETE FROM key_origins
  WHERE origin IN (SELECT value FROM json_each(OLD.restrictions, '$.origins')) AND key_id = OLD.id;
END;
