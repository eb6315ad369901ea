-- Whom a deletion is told to: 'all', 'private' for credentials that see private case notes, or
-- 'public' for those that do not: to these, a note that has become private is one that is gone. Of a
-- note that was deleted before there was this column, nobody knows what it was.
ALTER TABLE deletions ADD COLUMN told_to TEXT NOT NULL DEFAULT 'all'
  CHECK (told_to IN ('all', 'private', 'public'));

UPDATE deletions SET told_to = 'private' WHERE collection = 'case-notes';

CREATE TRIGGER notes_changed AFTER UPDATE OF document ON records
WHEN NEW.collection = 'case-notes'
  AND (OLD.document ->> '$.isPrivate' IS 0) <> (NEW.document ->> '$.isPrivate' IS 0)
BEGIN
  DELETE FROM deletions
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id;
  INSERT INTO deletions (organisation_id, collection, id, version, at, told_to)
    SELECT organisation_id, collection, id, version, changed, 'public' FROM records
    WHERE row = NEW.row AND document ->> '$.isPrivate' IS NOT 0;
END;

-- A version that is given after the change itself is that of the deletion as well.
CREATE TRIGGER notes_versioned AFTER UPDATE OF version ON records
WHEN NEW.collection = 'case-notes'
BEGIN
  UPDATE deletions SET version = NEW.version, at = NEW.changed
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id
    AND version = OLD.version;
END;

DROP TRIGGER records_created;

CREATE TRIGGER records_created AFTER INSERT ON records BEGIN
  UPDATE organisations SET version = NEW.version, changed = NEW.changed
  WHERE id = NEW.organisation_id AND version < NEW.version;
  DELETE FROM deletions
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id
    AND (
      told_to = 'private' OR NEW.collection <> 'case-notes' OR NEW.document ->> '$.isPrivate' IS 0
    );
END;

-- A private note of the id of one that is gone is still gone for those who do not see it.
CREATE TRIGGER notes_created AFTER INSERT ON records
WHEN NEW.collection = 'case-notes' AND NEW.document ->> '$.isPrivate' IS NOT 0
BEGIN
  UPDATE deletions SET told_to = 'public'
  WHERE organisation_id = NEW.organisation_id AND collection = NEW.collection AND id = NEW.id
    AND told_to = 'all';
END;

DROP TRIGGER records_deleted;

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
  INSERT INTO deletions (organisation_id, collection, id, version, at, told_to)
    SELECT id, OLD.collection, OLD.id, version, changed,
      iif(OLD.collection = 'case-notes' AND OLD.document ->> '$.isPrivate' IS NOT 0, 'private', 'all')
    FROM organisations WHERE id = OLD.organisation_id
    ON CONFLICT (organisation_id, collection, id)
    DO UPDATE SET version = excluded.version, at = excluded.at, told_to = 'all';
END;
