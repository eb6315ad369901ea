import { customType, integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'

/** A STRICT table's ANY column: each value keeps the type it was given. */
const any = customType<{ data: string | number | ArrayBuffer }>({ dataType: () => 'any' })

export const organisations = sqliteTable('organisations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  created: text('created').notNull(),
  version: integer('version').notNull().default(0),
  changed: text('changed').notNull().default(''),
  forgotten: integer('forgotten').notNull().default(0),
})

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
  ownExpires: text('own_expires'),
  /** Separated by commas (see model/rights.ts). */
  rights: text('rights').notNull().default('read,create-members'),
  /** JSON (see limits/limits.ts); null for none. */
  limits: text('limits'),
})

/** What keys asked for, by the day. */
export const keyUse = sqliteTable('key_use', {
  organisationId: text('organisation_id').notNull(),
  day: text('day').notNull(),
  keyId: text('key_id').notNull(),
  /** The segment of the path. */
  collection: text('collection').notNull(),
  requests: integer('requests').notNull(),
  records: integer('records').notNull(),
})

export const memberships = sqliteTable('memberships', {
  organisationId: text('organisation_id').notNull(),
  email: text('email').notNull(),
  role: text('role', { enum: ['admin', 'member'] }).notNull(),
  created: text('created').notNull(),
  issuer: text('issuer'),
  subject: text('subject'),
  /** Whether a `member` may write. */
  edits: integer('edits', { mode: 'boolean' }).notNull().default(false),
})

export const audit = sqliteTable('audit', {
  id: integer('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  at: text('at').notNull(),
  actor: text('actor').notNull(),
  act: text('act').notNull(),
  target: text('target').notNull(),
})

export const sessions = sqliteTable('sessions', {
  hash: text('hash').primaryKey(),
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  name: text('name').notNull(),
  expires: text('expires').notNull(),
})

export const imports = sqliteTable('imports', {
  id: integer('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  at: text('at').notNull(),
  collection: text('collection').notNull(),
  records: integer('records').notNull(),
  total: integer('total').notNull(),
})

/** How the files of one kind were last read. */
export const mappings = sqliteTable('mappings', {
  organisationId: text('organisation_id').notNull(),
  /** The digest of their headings. */
  headings: text('headings').notNull(),
  mapping: text('mapping').notNull(),
  used: text('used').notNull(),
})

export const schemas = sqliteTable('schemas', {
  organisationId: text('organisation_id').notNull(),
  kind: text('kind', { enum: ['members', 'volunteers', 'partners'] }).notNull(),
  name: text('name').notNull(),
  fields: text('fields').notNull(),
})

export const records = sqliteTable('records', {
  row: integer('row').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  collection: text('collection').notNull(),
  id: text('id').notNull(),
  /** The ordinal in its collection: given once, never changed, never given again. */
  position: integer('position').notNull(),
  document: text('document').notNull(),
  /** When the source last gave it. */
  updated: text('updated').notNull(),
  version: integer('version').notNull(),
  firstVersion: integer('first_version').notNull(),
  created: text('created').notNull(),
  /** When anything in it last changed here. */
  changed: text('changed').notNull(),
  /** As JSON: the version of the last change of each field that changed since there are webhooks. */
  fieldVersions: text('field_versions'),
  /** As JSON: an Author (see model/author.ts). */
  createdBy: text('created_by'),
  /** The author of the change that made this version; of a later one nobody knows. */
  changedBy: text('changed_by'),
  changedByVersion: integer('changed_by_version'),
})

/** What became of records, but for the creation of those that are there. */
export const history = sqliteTable('history', {
  organisationId: text('organisation_id').notNull(),
  collection: text('collection').notNull(),
  id: text('id').notNull(),
  version: integer('version').notNull(),
  at: text('at').notNull(),
  change: text('change', { enum: ['created', 'updated', 'deleted'] }).notNull(),
  author: text('author'),
  /** The names of the fields, as a JSON list. */
  fields: text('fields').notNull(),
})

export const deletions = sqliteTable('deletions', {
  organisationId: text('organisation_id').notNull(),
  collection: text('collection').notNull(),
  id: text('id').notNull(),
  version: integer('version').notNull(),
  at: text('at').notNull(),
  toldTo: text('told_to', { enum: ['all', 'private', 'public'] })
    .notNull()
    .default('all'),
})

/** How long records are kept. */
export const retention = sqliteTable('retention', {
  organisationId: text('organisation_id').notNull(),
  collection: text('collection').notNull(),
  /** The dotted path of a date. */
  field: text('field').notNull(),
  /** Such as `7 years` (see model/age.ts). */
  age: text('age').notNull(),
  created: text('created').notNull(),
  createdBy: text('created_by').notNull(),
  /** The last day on which all that was too old had been looked at. */
  done: text('done'),
  tried: text('tried'),
  /** As JSON: a SortedPlace, of a day that is not done. */
  place: text('place'),
  /** Of the last day. */
  removed: integer('removed').notNull().default(0),
  kept: integer('kept').notNull().default(0),
})

/** `field` '' with the value `wholeCollection` is the collection itself; `last` is its highest ordinal. */
export const terms = sqliteTable('terms', {
  id: integer('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  collection: text('collection').notNull(),
  field: text('field').notNull(),
  value: any('value').notNull(),
  count: integer('count').notNull(),
  last: integer('last').notNull(),
})

/** The ordinals of the records that have a term. */
export const holders = sqliteView('holders', {
  term: integer('term').notNull(),
  position: integer('position').notNull(),
}).existing()

export const idempotency = sqliteTable('idempotency', {
  id: text('id').primaryKey(),
  body: text('body').notNull(),
  memberId: text('member_id').notNull(),
  created: text('created').notNull(),
  answer: text('answer'),
  /** Null for a request of before this was noted. */
  organisationId: text('organisation_id'),
})

/** Where to tell of changes. */
export const webhooks = sqliteTable('webhooks', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  url: text('url').notNull(),
  /** Separated by commas, as are the changes. */
  collections: text('collections').notNull(),
  changes: text('changes').notNull(),
  /** Encrypted (see webhooks/secret.ts). */
  secret: text('secret').notNull(),
  oldSecret: text('old_secret'),
  oldSecretUntil: text('old_secret_until'),
  created: text('created').notNull(),
  createdBy: text('created_by').notNull(),
  state: text('state', { enum: ['active', 'paused', 'disabled'] }).notNull(),
  /** Why it is disabled. */
  reason: text('reason'),
  /** The place in the feed up to which it was sent. */
  cursor: integer('cursor').notNull(),
  /** The version up to which no change is untold: what was passed over since may have moved on in the feed. */
  told: integer('told').notNull(),
  /** Attempts that failed since one succeeded, and since when. */
  failures: integer('failures').notNull().default(0),
  failingSince: text('failing_since'),
  lastSuccess: text('last_success'),
  restUntil: text('rest_until'),
  lease: text('lease'),
  leaseUntil: text('lease_until'),
})

/** The columns of a message about a record. */
const sent = {
  collection: text('collection').notNull(),
  recordId: text('record_id').notNull(),
  messageId: text('message_id').notNull(),
  type: text('type').notNull(),
  version: integer('version').notNull(),
  /** The fields that changed, as a JSON list. */
  changed: text('changed').notNull(),
  /** When the record changed. */
  at: text('at').notNull(),
}

/** Messages that are to be sent again: one a record. */
export const webhookWaiting = sqliteTable('webhook_waiting', {
  webhookId: text('webhook_id').notNull(),
  ...sent,
  attempts: integer('attempts').notNull(),
  firstAttempt: text('first_attempt').notNull(),
  due: text('due').notNull(),
})

/** What was sent in the last 30 days, and what came of it. */
export const webhookAttempts = sqliteTable('webhook_attempts', {
  webhookId: text('webhook_id').notNull(),
  tried: text('tried').notNull(),
  ...sent,
  attempt: integer('attempt').notNull(),
  status: integer('status'),
  fault: text('fault'),
  milliseconds: integer('milliseconds').notNull(),
  /** The first 1 KiB of it. */
  answer: text('answer').notNull(),
})
