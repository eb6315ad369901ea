-- The rows that the database read for a key's requests.
ALTER TABLE key_usage ADD COLUMN rows_read INTEGER NOT NULL DEFAULT 0;

-- The number of an organisation's records and the bytes of their documents, when they were last measured. A
-- measurement of many records takes several parts: `measuring` has its progress, as JSON.
ALTER TABLE organisations ADD COLUMN records INTEGER NOT NULL DEFAULT 0;

ALTER TABLE organisations ADD COLUMN document_bytes INTEGER NOT NULL DEFAULT 0;

ALTER TABLE organisations ADD COLUMN measured TEXT NOT NULL DEFAULT '';

ALTER TABLE organisations ADD COLUMN measuring TEXT;

CREATE INDEX organisations_by_measured ON organisations (measured);
