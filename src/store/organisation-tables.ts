import { type SQL, sql } from 'drizzle-orm/sql'

/** A table with rows of organisations. */
export type OrganisationTable = {
  name: string
  /** The columns that identify a row within its organisation, in the order of an index. */
  key: readonly string[]
  /** The column with the organisation's id, or with the id of a row of `parent`; by default `organisation_id`. */
  owner?: string
  parent?: 'api_keys' | 'webhooks'
}

const ofWebhook = { owner: 'webhook_id', parent: 'webhooks' } as const

/**
 * The tables with an organisation's data. Rows are inserted in this order, because triggers clear a
 * record's deletion when it is inserted and because rows refer to earlier ones.
 */
export const organisationTables: readonly OrganisationTable[] = [
  { name: 'schemas', key: ['kind'] },
  { name: 'records', key: ['collection', 'ordinal'] },
  { name: 'deletions', key: ['collection', 'id'] },
  { name: 'history', key: ['collection', 'id', 'version'] },
  { name: 'idempotency_keys', key: ['id'] },
  { name: 'api_keys', key: ['id'] },
  { name: 'key_usage', key: ['day', 'key_id', 'collection'] },
  { name: 'audit_log', key: ['id'] },
  { name: 'webhooks', key: ['id'] },
  { name: 'webhook_outbox', key: ['webhook_id', 'collection', 'record_id'], ...ofWebhook },
  { name: 'webhook_attempts', key: ['webhook_id', 'attempted', 'message_id'], ...ofWebhook },
  { name: 'imports', key: ['id'] },
  { name: 'import_mappings', key: ['headings'] },
  { name: 'event_questions', key: ['event_id'] },
  { name: 'sign_ups', key: ['booking_id'] },
  { name: 'sign_up_requests', key: ['id'] },
  { name: 'booking_links', key: ['booking_id', 'hash'] },
  { name: 'form_links', key: ['form_id', 'hash'] },
  { name: 'mailings', key: ['id'] },
  { name: 'mailing_messages', key: ['mailing_id', 'address'] },
  { name: 'unsubscribe_links', key: ['address_hash', 'hash'] },
  { name: 'attendance_marks', key: ['booking_id'] },
  { name: 'saved_views', key: ['id'] },
  { name: 'dismissed_duplicates', key: ['collection', 'id', 'other_id'] },
  { name: 'duplicate_checks', key: ['collection'] },
  { name: 'known_details', key: ['month', 'collection', 'field'] },
  { name: 'retention_rules', key: ['collection'] },
  { name: 'public_pages', key: ['organisation_id'] },
]

/** The table with a row for each organisation. */
export const organisationsTable: OrganisationTable = {
  name: 'organisations',
  key: ['id'],
  owner: 'id',
}

/** The table of the origins of keys, which triggers fill from `api_keys`. */
export const keyOriginsTable: OrganisationTable = {
  name: 'key_origins',
  key: ['origin', 'key_id'],
  owner: 'key_id',
  parent: 'api_keys',
}

/** The tables that the schedule fills from the records of large organisations. A move deletes them and copies nothing. */
export const packedTables = ['packed_columns', 'packed_organisations'] as const

/** The tables that triggers fill from the rows of others. */
export const derivedTables = [
  'terms',
  'bitmaps',
  'name_words',
  'event_versions',
  keyOriginsTable.name,
]

/** The tables that only the database `DB` uses, for all organisations. */
export const directoryTables = ['memberships', 'sessions', 'sent_mail']

/** The SQL condition for the rows of an organisation. */
export function isOfOrganisation(
  { owner = 'organisation_id', parent }: OrganisationTable,
  id: string,
): SQL {
  const column = sql.identifier(owner)
  return parent === undefined
    ? sql`${column} = ${id}`
    : sql`${column} IN (SELECT id FROM ${sql.identifier(parent)} WHERE organisation_id = ${id})`
}

export const columnList = (columns: readonly string[]): SQL =>
  sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  )
