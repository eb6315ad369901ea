-- Every record of every collection. `ordinal` is its number in its collection, in order of arrival:
-- it is assigned once and never reused. `updated` is the time of the last write by a caller;
-- `changed` also covers changes that the service makes itself. `field_versions` is JSON with the
-- version of each field's last change, for webhooks. `changed_by` is the author of the version
-- `changed_by_version`; authors are JSON (src/model/author.ts).
CREATE TABLE records (
  row INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  document TEXT NOT NULL CHECK (json_type(document) = 'object'),
  updated TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 0,
  first_version INTEGER NOT NULL DEFAULT 0,
  created TEXT NOT NULL DEFAULT '',
  changed TEXT NOT NULL DEFAULT '',
  field_versions TEXT,
  created_by TEXT,
  changed_by TEXT,
  changed_by_version INTEGER,
  CONSTRAINT account_number_redacted CHECK (
    collection <> 'disbursements'
    OR document ->> '$.bankAccount.accountNumber' = ''
    OR document ->> '$.bankAccount.accountNumber' GLOB '[*][*][*][*][0-9][0-9][0-9][0-9]'
  ),
  CONSTRAINT sort_code_redacted CHECK (
    collection <> 'disbursements'
    OR document ->> '$.bankAccount.sortCode' = ''
    OR document ->> '$.bankAccount.sortCode' GLOB '[*][*][*][*][0-9][0-9]'
  )
) STRICT;

CREATE UNIQUE INDEX records_by_id ON records (collection, id, organisation_id);

CREATE UNIQUE INDEX records_by_ordinal ON records (organisation_id, collection, ordinal);

CREATE UNIQUE INDEX records_by_version ON records (organisation_id, version);

-- Disbursements with bank details that the CHECK constraints cannot judge: GLOB stops at a NUL character,
-- a path finds only the first of two equal names, and bank details need not be an object.
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

-- One view per collection, for an operator who queries the database directly.
CREATE VIEW events AS
SELECT
  organisation_id,
  id,
  document ->> '$.name' AS name,
  document ->> '$.managedBy' AS managed_by,
  document ->> '$.start' AS start,
  document ->> '$.end' AS "end",
  document ->> '$.recurrence.recurring' AS recurring,
  document ->> '$.bookingDetails.capacityTotal' AS capacity_total,
  document ->> '$.bookingDetails.free' AS free,
  document ->> '$.bookingDetails.price' AS price,
  document ->> '$.venue.name' AS venue,
  document ->> '$.venue.postcode' AS postcode,
  document ->> '$.bookable' AS bookable,
  document ->> '$.attendees' AS attendees,
  document ->> '$.created' AS created,
  document ->> '$.updated' AS updated,
  document
FROM records WHERE collection = 'events';

CREATE VIEW bookings AS
SELECT
  organisation_id,
  id,
  document ->> '$.eventId' AS event_id,
  document ->> '$.memberId' AS member_id,
  document ->> '$.name' AS name,
  document ->> '$.date' AS date,
  document ->> '$.type' AS type,
  document ->> '$.attending' AS attending,
  document ->> '$.bookingType' AS booking_type,
  document ->> '$.start' AS start,
  document ->> '$.end' AS "end",
  document ->> '$.duration' AS duration,
  document ->> '$.created' AS created,
  document ->> '$.updated' AS updated,
  document
FROM records WHERE collection = 'bookings';

CREATE VIEW forms AS
SELECT
  organisation_id,
  id,
  document ->> '$.name' AS name,
  document ->> '$.type' AS type,
  document ->> '$.managedBy' AS managed_by,
  document ->> '$.questionCount' AS question_count,
  document ->> '$.settings.isArchived' AS is_archived,
  document ->> '$.schemaForm' AS schema_form,
  document ->> '$.formFor' AS form_for,
  document ->> '$.created' AS created,
  document ->> '$.updated' AS updated,
  document
FROM records WHERE collection = 'forms';

CREATE VIEW survey_responses AS
SELECT
  organisation_id,
  id,
  document ->> '$.surveyId' AS survey_id,
  document ->> '$.managedBy' AS managed_by,
  document ->> '$.submittedTo' AS submitted_to,
  document ->> '$.creator' AS creator,
  document ->> '$.date' AS date,
  document ->> '$.surveyScore' AS survey_score,
  document ->> '$.created' AS created,
  document ->> '$.updated' AS updated,
  document
FROM records WHERE collection = 'survey-responses';

CREATE VIEW case_notes AS
SELECT
  organisation_id,
  id,
  document ->> '$.caseId' AS case_id,
  document ->> '$.managedBy' AS managed_by,
  document ->> '$.creator' AS creator,
  document ->> '$.date' AS date,
  document ->> '$.isPrivate' AS is_private,
  document ->> '$.isPinned' AS is_pinned,
  document ->> '$.created' AS created,
  document ->> '$.updated' AS updated,
  document
FROM records WHERE collection = 'case-notes';

CREATE VIEW funds AS
SELECT
  organisation_id,
  id,
  document ->> '$.name' AS name,
  document ->> '$.managedBy' AS managed_by,
  document ->> '$.identifier' AS identifier,
  document ->> '$.currency' AS currency,
  document ->> '$.financials.totalAmount' AS total_amount,
  document ->> '$.financials.amountAwarded' AS amount_awarded,
  document ->> '$.financials.amountDisbursed' AS amount_disbursed,
  document ->> '$.dates.start' AS start,
  document ->> '$.dates.end' AS "end",
  document ->> '$.isOpenCall' AS is_open_call,
  document ->> '$.recipientType' AS recipient_type,
  document ->> '$.created' AS created,
  document ->> '$.updated' AS updated,
  document
FROM records WHERE collection = 'funds';

CREATE VIEW grant_applications AS
SELECT
  organisation_id,
  id,
  document ->> '$.fundId' AS fund_id,
  document ->> '$.title' AS title,
  document ->> '$.managedBy' AS managed_by,
  document ->> '$.currency' AS currency,
  document ->> '$.amountApplied' AS amount_applied,
  document ->> '$.amountAwarded' AS amount_awarded,
  document ->> '$.amountDisbursed' AS amount_disbursed,
  document ->> '$.status' AS status,
  document ->> '$.recipient.name' AS recipient_name,
  document ->> '$.recipient.organisationId' AS recipient_organisation_id,
  document ->> '$.dates.awarded' AS awarded,
  document ->> '$.dates.submitted' AS submitted,
  document ->> '$.created' AS created,
  document ->> '$.updated' AS updated,
  document
FROM records WHERE collection = 'grant-applications';

CREATE VIEW disbursements AS
SELECT
  organisation_id,
  id,
  document ->> '$.grantId' AS grant_id,
  document ->> '$.fundId' AS fund_id,
  document ->> '$.managedBy' AS managed_by,
  document ->> '$.identifier' AS identifier,
  document ->> '$.amount' AS amount,
  document ->> '$.currency' AS currency,
  document ->> '$.status' AS status,
  document ->> '$.dates.scheduled' AS scheduled,
  document ->> '$.dates.processed' AS processed,
  document ->> '$.updated' AS updated,
  document
FROM records WHERE collection = 'disbursements';

CREATE VIEW members AS
SELECT organisation_id, id, updated, document FROM records WHERE collection = 'members';

CREATE VIEW volunteers AS
SELECT organisation_id, id, updated, document FROM records WHERE collection = 'volunteers';

CREATE VIEW partners AS
SELECT organisation_id, id, updated, document FROM records WHERE collection = 'partners';
