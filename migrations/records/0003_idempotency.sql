-- What a request with an Idempotency-Key made: `id` is the SHA-256 of who sent it and of the key,
-- `body` that of the body.
CREATE TABLE idempotency (
  id TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  member_id TEXT NOT NULL,
  created TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_by_age ON idempotency (created);
