-- Lists and reports saved under a name, shared within the organisation. `page` is their address below the
-- organisation, such as 'records/members', and `query` the query string of the address.
CREATE TABLE saved_views (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  id TEXT NOT NULL,
  page TEXT NOT NULL,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  query TEXT NOT NULL CHECK (length(query) <= 4000),
  created TEXT NOT NULL,
  created_by TEXT NOT NULL,
  PRIMARY KEY (organisation_id, id),
  UNIQUE (organisation_id, page, name)
) STRICT, WITHOUT ROWID;
