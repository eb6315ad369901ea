import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const apiKeys = sqliteTable('api_keys', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  name: text('name').notNull(),
  prefix: text('prefix').notNull(),
  hash: text('hash').notNull(),
  created: text('created').notNull(),
  revoked: text('revoked'),
  createdBy: text('created_by').notNull(),
  expires: text('expires'),
  lastUsed: text('last_used'),
  originalExpires: text('original_expires'),
  /** Names separated by commas (see access/permissions.ts). */
  permissions: text('permissions').notNull().default('read,create-members'),
  /** JSON (see access/restrictions.ts); null for no restrictions. */
  restrictions: text('restrictions'),
})

export const keyOrigins = sqliteTable(
  'key_origins',
  {
    origin: text('origin').notNull(),
    keyId: text('key_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.origin, table.keyId] })],
)

export const keyUsage = sqliteTable(
  'key_usage',
  {
    organisationId: text('organisation_id').notNull(),
    day: text('day').notNull(),
    keyId: text('key_id').notNull(),
    /** The first segment of the path. */
    collection: text('collection').notNull(),
    requests: integer('requests').notNull(),
    records: integer('records').notNull(),
    rowsRead: integer('rows_read').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.day, table.keyId, table.collection] }),
  ],
)

export const memberships = sqliteTable(
  'memberships',
  {
    organisationId: text('organisation_id').notNull(),
    email: text('email').notNull(),
    role: text('role', { enum: ['reader', 'editor', 'admin'] }).notNull(),
    created: text('created').notNull(),
    issuer: text('issuer'),
    subject: text('subject'),
    /** 1 for a steward; `role` is then `reader`. */
    registersOnly: integer('registers_only').notNull().default(0),
    /** 1 for a reader without contact details; `role` is then `reader`. */
    hidesContacts: integer('hides_contacts').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.email] })],
)

export const auditLog = sqliteTable('audit_log', {
  id: integer('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  at: text('at').notNull(),
  actor: text('actor').notNull(),
  action: text('action').notNull(),
  target: text('target').notNull(),
  /** JSON: the collection and id of the record that the entry is about, if any. */
  record: text('record'),
})

export const sessions = sqliteTable('sessions', {
  hash: text('hash').primaryKey(),
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  name: text('name').notNull(),
  expires: text('expires').notNull(),
  lastUsed: text('last_used').notNull().default(''),
})
