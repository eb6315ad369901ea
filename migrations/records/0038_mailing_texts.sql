-- What staff wrote is deleted with the last message of its mailing: it may name somebody, and nobody needs it any more.
CREATE TRIGGER mailing_text_of_deleted_messages AFTER DELETE ON mailing_messages
WHEN NOT EXISTS (
  SELECT 1 FROM mailing_messages
  WHERE organisation_id = OLD.organisation_id AND mailing_id = OLD.mailing_id
)
BEGIN
  UPDATE mailings SET content = '{}'
  WHERE organisation_id = OLD.organisation_id AND id = OLD.mailing_id;
END;

UPDATE mailings SET content = '{}'
WHERE NOT EXISTS (
  SELECT 1 FROM mailing_messages
  WHERE mailing_messages.organisation_id = mailings.organisation_id AND mailing_id = mailings.id
);

-- An erasure looks for the person in the mailings with a text. Most have none.
CREATE INDEX mailings_with_text ON mailings (organisation_id) WHERE content <> '{}';
