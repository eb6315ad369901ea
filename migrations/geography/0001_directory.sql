-- The ONS Postcode Directory. Every load makes a new generation; the current one is
-- replaced only when the next is whole, and the rows of every other generation can be deleted.
-- The number of a generation is never used again, so that no load writes into another's rows.
CREATE TABLE editions (
  generation INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  edition TEXT NOT NULL,
  started TEXT NOT NULL,
  northern_ireland INTEGER NOT NULL CHECK (northern_ireland IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('loading', 'serving', 'retired')),
  loaded TEXT,
  coverage TEXT CHECK (json_type(coverage) = 'object'),
  CHECK (status <> 'serving' OR (loaded IS NOT NULL AND coverage IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX edition_serving ON editions (status) WHERE status = 'serving';

-- A name belongs to a kind and a code: areas of two censuses share codes and differ in name.
CREATE TABLE areas (
  generation INTEGER NOT NULL,
  id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  code TEXT NOT NULL,
  name TEXT,
  PRIMARY KEY (generation, id)
) STRICT, WITHOUT ROWID;

-- The combinations of areas that postcodes share: a tenth as many rows as there are postcodes.
CREATE TABLE combinations (
  generation INTEGER NOT NULL,
  id INTEGER NOT NULL,
  country INTEGER,
  region INTEGER,
  county INTEGER,
  lad INTEGER,
  ward INTEGER,
  parish INTEGER,
  county_electoral_division INTEGER,
  constituency INTEGER,
  lsoa INTEGER,
  msoa INTEGER,
  icb INTEGER,
  police_force_area INTEGER,
  PRIMARY KEY (generation, id)
) STRICT, WITHOUT ROWID;

-- `postcode` is in its compact form: upper case, letters and digits only.
CREATE TABLE postcodes (
  generation INTEGER NOT NULL,
  postcode TEXT NOT NULL,
  combination INTEGER NOT NULL,
  PRIMARY KEY (generation, postcode)
) STRICT, WITHOUT ROWID;
