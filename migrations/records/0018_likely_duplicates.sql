-- Pairs of people whom somebody marked as different people; `id` is the lesser of the two.
CREATE TABLE dismissed_duplicates (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  other_id TEXT NOT NULL,
  created TEXT NOT NULL,
  PRIMARY KEY (organisation_id, collection, id, other_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX dismissed_duplicates_by_other ON dismissed_duplicates (organisation_id, collection, other_id);

CREATE TRIGGER dismissed_duplicates_of_deleted AFTER DELETE ON records
WHEN OLD.collection IN ('members', 'volunteers', 'partners')
BEGIN
  DELETE FROM dismissed_duplicates
  WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection AND id = OLD.id;
  DELETE FROM dismissed_duplicates
  WHERE organisation_id = OLD.organisation_id AND collection = OLD.collection AND other_id = OLD.id;
END;

-- The number of pairs of likely duplicates at the last comparison of all people, and the version of the
-- organisation then.
CREATE TABLE duplicate_checks (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  collection TEXT NOT NULL,
  pairs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  checked TEXT NOT NULL,
  PRIMARY KEY (organisation_id, collection)
) STRICT, WITHOUT ROWID;
