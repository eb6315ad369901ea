-- Erasing a person clears the answers to messages about each of their records: without an index, every
-- step would read every attempt of the organisation. An answer that was cleared is not in it.
CREATE INDEX webhook_attempts_answered ON webhook_attempts (webhook_id, collection, record_id)
  WHERE answer <> '';
