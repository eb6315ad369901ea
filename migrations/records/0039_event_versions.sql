-- The version at which what the public sees of an event last changed, for the feed of sessions (src/publishing/sessions.ts):
-- that of its record, of its deletion, or of the change by which one of its dates came or went. An event without dates is a
-- session, one with dates a series, so a date changes the series that it belongs to. Triggers fill it from `records` and
-- `deletions`. `had_dates` is 1 once another event has named it as its series.
CREATE TABLE event_versions (
  organisation_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  had_dates INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, event_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_versions_by_version ON event_versions (organisation_id, version, event_id);

INSERT INTO event_versions (organisation_id, event_id, version, had_dates)
  SELECT organisation_id, event_id, max(version), max(had_dates)
  FROM (
    SELECT organisation_id, id AS event_id, version, 0 AS had_dates FROM records WHERE collection = 'events'
    UNION ALL
    SELECT organisation_id, document ->> '$.parentEventId', version, 1 FROM records
    WHERE collection = 'events' AND document ->> '$.parentEventId' <> ''
    UNION ALL
    SELECT organisation_id, id, version, 0 FROM deletions WHERE collection = 'events'
  )
  GROUP BY organisation_id, event_id;

CREATE TRIGGER event_created AFTER INSERT ON records WHEN NEW.collection = 'events' BEGIN
  INSERT INTO event_versions (organisation_id, event_id, version, had_dates)
    SELECT NEW.organisation_id, NEW.id, NEW.version, 0
    UNION ALL
    SELECT NEW.organisation_id, NEW.document ->> '$.parentEventId', NEW.version, 1
    WHERE NEW.document ->> '$.parentEventId' <> ''
    ON CONFLICT (organisation_id, event_id) DO UPDATE SET
      version = max(version, excluded.version), had_dates = max(had_dates, excluded.had_dates);
END;

-- A date that moves to another series changes both.
CREATE TRIGGER event_changed AFTER UPDATE OF version ON records WHEN NEW.collection = 'events' BEGIN
  INSERT INTO event_versions (organisation_id, event_id, version, had_dates)
    SELECT NEW.organisation_id, NEW.id, NEW.version, 0
    UNION ALL
    SELECT NEW.organisation_id, NEW.document ->> '$.parentEventId', NEW.version, 1
    WHERE NEW.document ->> '$.parentEventId' <> ''
      AND NEW.document ->> '$.parentEventId' IS NOT OLD.document ->> '$.parentEventId'
    UNION ALL
    SELECT NEW.organisation_id, OLD.document ->> '$.parentEventId', NEW.version, 1
    WHERE OLD.document ->> '$.parentEventId' <> ''
      AND NEW.document ->> '$.parentEventId' IS NOT OLD.document ->> '$.parentEventId'
    ON CONFLICT (organisation_id, event_id) DO UPDATE SET
      version = max(version, excluded.version), had_dates = max(had_dates, excluded.had_dates);
END;

CREATE TRIGGER event_deleted AFTER INSERT ON deletions WHEN NEW.collection = 'events' BEGIN
  INSERT INTO event_versions (organisation_id, event_id, version, had_dates)
    VALUES (NEW.organisation_id, NEW.id, NEW.version, 0)
    ON CONFLICT (organisation_id, event_id) DO UPDATE SET version = max(version, excluded.version);
END;

-- The deletion takes the next version (0004_changes.sql).
CREATE TRIGGER date_deleted BEFORE DELETE ON records
WHEN OLD.collection = 'events' AND OLD.document ->> '$.parentEventId' <> ''
BEGIN
  UPDATE event_versions
  SET version = (SELECT version + 1 FROM organisations WHERE id = OLD.organisation_id)
  WHERE organisation_id = OLD.organisation_id AND event_id = OLD.document ->> '$.parentEventId';
END;

-- The version of a deleted event goes with the memory of its deletion.
CREATE TRIGGER event_forgotten AFTER DELETE ON deletions WHEN OLD.collection = 'events' BEGIN
  DELETE FROM event_versions
  WHERE organisation_id = OLD.organisation_id AND event_id = OLD.id
    AND NOT EXISTS (
      SELECT 1 FROM records WHERE collection = 'events' AND id = OLD.id
        AND organisation_id = OLD.organisation_id
    );
END;
