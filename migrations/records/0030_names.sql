-- The words of people's names beyond the first, so that somebody is found by any part of their name;
-- the first is found as the beginning of the whole text. A text counts as a name where its field's id
-- has 'name' in it. A row for each further word of each name there is, however many people have it:
-- the term goes with its words when nobody has the name any more.
CREATE TABLE name_words (
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  word TEXT NOT NULL,
  term INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, collection, word, term)
) STRICT, WITHOUT ROWID;

CREATE VIEW further_words AS
SELECT DISTINCT terms.organisation_id, terms.collection, item.value AS word, terms.id AS term
FROM terms CROSS JOIN json_each(
  '[' || replace(json_quote(replace(lower(terms.value), '-', ' ')), ' ', '","') || ']'
) AS item
WHERE item.key > 0 AND item.value <> '';

CREATE TRIGGER names_inserted AFTER INSERT ON terms
WHEN NEW.field LIKE '%name%' AND typeof(NEW.value) = 'text'
  AND NEW.collection IN ('members', 'volunteers', 'partners')
BEGIN
  INSERT INTO name_words (organisation_id, collection, word, term)
    SELECT organisation_id, collection, word, term FROM further_words WHERE term = NEW.id;
END;

CREATE TRIGGER names_deleting BEFORE DELETE ON terms
WHEN OLD.field LIKE '%name%' AND typeof(OLD.value) = 'text'
  AND OLD.collection IN ('members', 'volunteers', 'partners')
BEGIN
  DELETE FROM name_words
  WHERE (organisation_id, collection, word, term) IN (
    SELECT organisation_id, collection, word, term FROM further_words WHERE term = OLD.id
  );
END;

-- From one field of people to the next: to look at every term would take longer than a call may.
WITH RECURSIVE fields (organisation_id, collection, field) AS (
  SELECT id, kind.column1, ''
  FROM organisations CROSS JOIN (VALUES ('members'), ('volunteers'), ('partners')) AS kind
  UNION ALL
  SELECT organisation_id, collection, (
    SELECT min(field) FROM terms
    WHERE terms.organisation_id = fields.organisation_id
      AND terms.collection = fields.collection AND terms.field > fields.field
  )
  FROM fields WHERE field IS NOT NULL
)
INSERT INTO name_words (organisation_id, collection, word, term)
  SELECT words.organisation_id, words.collection, words.word, words.term
  FROM fields
  CROSS JOIN terms ON terms.organisation_id = fields.organisation_id
    AND terms.collection = fields.collection AND terms.field = fields.field
  CROSS JOIN further_words AS words ON words.term = terms.id
  WHERE fields.field LIKE '%name%' AND typeof(terms.value) = 'text';
