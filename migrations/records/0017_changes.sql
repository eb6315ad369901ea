-- What changed in an organisation, and when by the service's own clock. Every change of a record takes
-- the organisation's next version; time never goes back within an organisation, so records are in
-- order of `changed` by their version, and of `created` by their position.
ALTER TABLE organisations ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE organisations ADD COLUMN changed TEXT NOT NULL DEFAULT '2026-11-21T00:00:00.000Z';
-- Deletions up to this version are remembered no more.
ALTER TABLE organisations ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;

-- What is there already counts as created and last changed at this time, in the order in which it
-- arrived. The migrations that follow give it its versions, a part of it each, so that each is done
-- within the 30 seconds of a call; what is written meanwhile takes versions after those.
ALTER TABLE records ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE records ADD COLUMN first_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE records ADD COLUMN created TEXT NOT NULL DEFAULT '2026-11-21T00:00:00.000Z';
ALTER TABLE records ADD COLUMN changed TEXT NOT NULL DEFAULT '2026-11-21T00:00:00.000Z';

UPDATE organisations SET version = (SELECT coalesce(max(row), 0) FROM records);

-- A record that is gone: its id, and no value of it.
CREATE TABLE deletions (
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (organisation_id, collection, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX deletions_by_version ON deletions (organisation_id, version);

-- The service gives versions itself, in the statement that writes; whoever writes without one, such as
-- SQL typed at a console, is given one here.
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

CREATE TRIGGER records_created AFTER INSERT ON records BEGIN
  UPDATE organisations SET version = NEW.version, changed = NEW.changed
  WHERE id = NEW.organisation_id AND version < NEW.version;
  DELETE FROM deletions
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id;
END;

CREATE TRIGGER records_changed AFTER UPDATE OF version ON records BEGIN
  UPDATE organisations SET version = NEW.version, changed = NEW.changed
  WHERE id = NEW.organisation_id AND version < NEW.version;
END;

-- A deletion is remembered for 90 days at least; whoever writes one clears away a few that are older.
CREATE TRIGGER records_deleted AFTER DELETE ON records BEGIN
  UPDATE organisations SET
    version = version + 1,
    changed = max(changed, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    forgotten = coalesce((
      SELECT max(version)
      FROM (
        SELECT version, at FROM deletions WHERE organisation_id = OLD.organisation_id
        ORDER BY version LIMIT 3
      )
      WHERE at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-90 days')
    ), forgotten)
  WHERE id = OLD.organisation_id;
  DELETE FROM deletions WHERE organisation_id = OLD.organisation_id
    AND version <= (SELECT forgotten FROM organisations WHERE id = OLD.organisation_id);
  INSERT INTO deletions (organisation_id, collection, id, version, at)
    SELECT id, OLD.collection, OLD.id, version, changed FROM organisations
    WHERE id = OLD.organisation_id;
END;

-- What a repeated request is answered with: the id of what was created, or the whole answer.
ALTER TABLE idempotency ADD COLUMN answer TEXT;
