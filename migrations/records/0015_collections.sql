-- A view for each collection, for whoever looks in with SQL: its usual columns, and the whole document.
-- The API does not read them. People have the fields of their organisation's schema, in the document.

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
SELECT organisation_id, id, updated AS given, document FROM records WHERE collection = 'members';

CREATE VIEW volunteers AS
SELECT organisation_id, id, updated AS given, document FROM records WHERE collection = 'volunteers';

CREATE VIEW partners AS
SELECT organisation_id, id, updated AS given, document FROM records WHERE collection = 'partners';
