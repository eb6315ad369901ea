CREATE UNIQUE INDEX records_by_version ON records (organisation_id, version);
