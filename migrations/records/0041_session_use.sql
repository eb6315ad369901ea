-- A session ends when it was not used for a while. Earlier sessions end with this migration: people sign in again.
ALTER TABLE sessions ADD COLUMN last_used TEXT NOT NULL DEFAULT '';

CREATE INDEX sessions_by_person ON sessions (issuer, subject);
