-- What the CHECKs on records let pass: GLOB reads a text up to its first NUL, a path finds nothing in
-- bank details that are no object, and of a name that is there twice, perhaps spelt with escapes, it
-- finds the first, where most readers of JSON find the last. json_type takes what is not JSON, too.
CREATE VIEW unredacted AS
SELECT row FROM records
WHERE collection = 'disbursements' AND (
  json_type(document, '$.bankAccount') NOT IN ('null', 'object')
  OR octet_length(document ->> '$.bankAccount.accountNumber') > 8
  OR octet_length(document ->> '$.bankAccount.sortCode') > 6
  OR NOT json_valid(document)
  OR EXISTS (
    SELECT 1 FROM json_tree(document) WHERE key IS NOT NULL
    GROUP BY parent, key HAVING count(*) > 1
  )
);

CREATE TRIGGER disbursements_inserted AFTER INSERT ON records
WHEN NEW.collection = 'disbursements' AND EXISTS (SELECT 1 FROM unredacted WHERE row = NEW.row)
BEGIN
  SELECT raise(ABORT, 'bank_details_redacted');
END;

CREATE TRIGGER disbursements_updated AFTER UPDATE OF document ON records
WHEN NEW.collection = 'disbursements' AND EXISTS (SELECT 1 FROM unredacted WHERE row = NEW.row)
BEGIN
  SELECT raise(ABORT, 'bank_details_redacted');
END;
