-- How many people of a kind had a detail, by the field that holds it, in each month in which somebody opened the page on the
-- quality of the data: how the quality develops.
CREATE TABLE known_details (
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  month TEXT NOT NULL,
  field TEXT NOT NULL,
  known INTEGER NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, month, collection, field)
) STRICT, WITHOUT ROWID;
