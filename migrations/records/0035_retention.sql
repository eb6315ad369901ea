-- How long records of a collection are kept, by the age of a date in them: older ones are removed each day.
CREATE TABLE retention (
  organisation_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  -- The dotted path of the date, and an age such as '7 years'.
  field TEXT NOT NULL,
  age TEXT NOT NULL,
  created TEXT NOT NULL,
  created_by TEXT NOT NULL,
  -- The day, in the United Kingdom, up to which all that was too old has been looked at.
  done TEXT,
  -- When a part of it was last looked at: whose turn was the longest ago is next.
  tried TEXT,
  -- Of a day that is not done: where in the order of the dates to go on, as JSON.
  place TEXT,
  -- How many records were removed on the last day, and how many stayed as others name them.
  removed INTEGER NOT NULL DEFAULT 0,
  kept INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organisation_id, collection)
) STRICT, WITHOUT ROWID;
