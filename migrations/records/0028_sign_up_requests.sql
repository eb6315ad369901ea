-- Unfinished sign-ups: their bookings or their message are missing. The request is stored before the page says that a
-- message is on its way, and deleted once the message is sent, or after the last attempt.
CREATE TABLE sign_up_requests (
  organisation_id TEXT NOT NULL,
  id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  sign_up TEXT NOT NULL,
  created TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due TEXT NOT NULL,
  PRIMARY KEY (organisation_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_up_requests_by_due ON sign_up_requests (due);
