import {
  customType,
  integer,
  primaryKey,
  sqliteTable,
  sqliteView,
  text,
} from 'drizzle-orm/sqlite-core'
import type { DatabaseName } from '../platform/bindings.ts'
import { defaultVersionDays } from './settings/organisation.ts'

/** The ANY column type of a STRICT table, which stores each value with its own type. */
const any = customType<{ data: string | number | ArrayBuffer }>({ dataType: () => 'any' })

export const organisations = sqliteTable('organisations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  created: text('created').notNull(),
  /** Grows with every change of a record, which gets the new number as its own `version`. */
  version: integer('version').notNull().default(0),
  /** The time of the last change of a record; empty before the first. */
  changed: text('changed').notNull().default(''),
  /** Deletions up to this version are no longer in `deletions`. */
  deletionsForgottenTo: integer('deletions_forgotten_to').notNull().default(0),
  /** For how many days previous versions of records stay: 0 to 90. */
  versionDays: integer('version_days').notNull().default(defaultVersionDays),
  /** The database that has the organisation; null in that database itself. */
  database: text('database').$type<DatabaseName>(),
  /** The database to which the organisation is being moved. */
  movingTo: text('moving_to').$type<DatabaseName>(),
  /** The size at the last measurement, and its time; see store/sizes.ts. */
  records: integer('records').notNull().default(0),
  documentBytes: integer('document_bytes').notNull().default(0),
  measured: text('measured').notNull().default(''),
  /** The progress of a measurement in several parts, as JSON. */
  measuring: text('measuring'),
  /** The key of cursors in hexadecimal, which a trigger makes; see store/cursors.ts. */
  cursorKey: text('cursor_key').notNull().default(''),
  /** JSON: the tasks outside the service that an administrator has marked as done. */
  setUpTasks: text('set_up_tasks').notNull().default('[]'),
})

export const imports = sqliteTable('imports', {
  id: integer('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  /** When it started. */
  at: text('at').notNull(),
  collection: text('collection').notNull(),
  /** The number of rows that were not rejected, and of the collection's records at the end. */
  records: integer('records').notNull(),
  total: integer('total').notNull(),
  /** JSON: an Author (see model/author.ts). */
  author: text('author'),
  file: text('file'),
  /** When it ended; null while it runs, or if it was interrupted. */
  finished: text('finished'),
  /** The number of rows by result. */
  created: integer('created').notNull().default(0),
  updated: integer('updated').notNull().default(0),
  unchanged: integer('unchanged').notNull().default(0),
  rejected: integer('rejected').notNull().default(0),
  /** JSON: the last ordinals before and after the import, by collection. */
  ordinals: text('ordinals'),
  /** JSON: the Author who started the undo last. */
  undoneBy: text('undone_by'),
  /** JSON: the UndoProgress (see store/imports/list-imports.ts). */
  undo: text('undo'),
  /** When the undo was done; null before. */
  undone: text('undone'),
  /** Until when a request has claimed to work on the undo; null if none does. */
  undoLease: text('undo_lease'),
  /** The label of the field that a bulk edit changed; null for the import of a file. */
  edited: text('edited'),
  /** The number of records that a bulk deletion deleted; null for an import and a bulk edit. */
  deleted: integer('deleted'),
})

export const importMappings = sqliteTable(
  'import_mappings',
  {
    organisationId: text('organisation_id').notNull(),
    /** The digest of the headings. */
    headings: text('headings').notNull(),
    /** JSON: the mapping that was used last for a file with these headings. */
    mapping: text('mapping').notNull(),
    lastUsed: text('last_used').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.headings] })],
)

export const savedViews = sqliteTable(
  'saved_views',
  {
    organisationId: text('organisation_id').notNull(),
    id: text('id').notNull(),
    /** The page's address below the organisation, such as `records/members`. */
    page: text('page').notNull(),
    name: text('name').notNull(),
    /** The query string of the page, without `?`. */
    query: text('query').notNull(),
    created: text('created').notNull(),
    createdBy: text('created_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] })],
)

/** Pairs of people who look alike but were marked as different people; `id` is the lesser id. */
export const dismissedDuplicates = sqliteTable(
  'dismissed_duplicates',
  {
    organisationId: text('organisation_id').notNull(),
    collection: text('collection').notNull(),
    id: text('id').notNull(),
    otherId: text('other_id').notNull(),
    created: text('created').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.collection, table.id, table.otherId] }),
  ],
)

/** The number of pairs of people who look alike at the last comparison, and the organisation's version then. */
export const duplicateChecks = sqliteTable(
  'duplicate_checks',
  {
    organisationId: text('organisation_id').notNull(),
    collection: text('collection').notNull(),
    pairs: integer('pairs').notNull(),
    version: integer('version').notNull(),
    checked: text('checked').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.collection] })],
)

/** How many people of a kind had a detail in a month such as `2026-11`, by the id of the first field that holds it. */
export const knownDetails = sqliteTable(
  'known_details',
  {
    organisationId: text('organisation_id').notNull(),
    collection: text('collection').notNull(),
    month: text('month').notNull(),
    field: text('field').notNull(),
    known: integer('known').notNull(),
    total: integer('total').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.month, table.collection, table.field] }),
  ],
)

export const schemas = sqliteTable(
  'schemas',
  {
    organisationId: text('organisation_id').notNull(),
    kind: text('kind', { enum: ['members', 'volunteers', 'partners'] }).notNull(),
    name: text('name').notNull(),
    fields: text('fields').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.kind] })],
)

export const records = sqliteTable('records', {
  row: integer('row').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  collection: text('collection').notNull(),
  id: text('id').notNull(),
  /** Assigned once in order of arrival, never changed or reused. */
  ordinal: integer('ordinal').notNull(),
  document: text('document').notNull(),
  /** The time of a caller's last write. */
  updated: text('updated').notNull(),
  /** The organisation's version at the last change, and at the creation. */
  version: integer('version').notNull(),
  firstVersion: integer('first_version').notNull(),
  created: text('created').notNull(),
  /** The time of the last change, including changes by the service itself. */
  changed: text('changed').notNull(),
  /** JSON: the version of each field's last change, for webhooks. */
  fieldVersions: text('field_versions'),
  /** JSON: an Author (see model/author.ts). */
  createdBy: text('created_by'),
  /** The author of version `changedByVersion`. Later versions have no known author. */
  changedBy: text('changed_by'),
  changedByVersion: integer('changed_by_version'),
  /** The member of a booking; null in other collections. */
  memberId: text('member_id'),
})

export const history = sqliteTable(
  'history',
  {
    organisationId: text('organisation_id').notNull(),
    collection: text('collection').notNull(),
    id: text('id').notNull(),
    version: integer('version').notNull(),
    at: text('at').notNull(),
    change: text('change', { enum: ['created', 'updated', 'deleted'] }).notNull(),
    author: text('author'),
    /** The names of the changed fields, as a JSON list. */
    fields: text('fields').notNull(),
    /** The document before the change, as JSON; null once it is too old. */
    replaced: text('replaced'),
    /** The id of the person into whom this one was merged. */
    mergedInto: text('merged_into'),
    /** JSON: what belonged to a deleted record besides its document (see store/write/attached.ts). */
    attached: text('attached'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.collection, table.id, table.version] }),
  ],
)

/** The last deletion of each record, for the change feed; remembered for at least 90 days. */
export const deletions = sqliteTable(
  'deletions',
  {
    organisationId: text('organisation_id').notNull(),
    collection: text('collection').notNull(),
    id: text('id').notNull(),
    version: integer('version').notNull(),
    at: text('at').notNull(),
    /** Who sees it: everybody, or for a case note the callers who see private notes, or only public ones. */
    audience: text('audience', { enum: ['all', 'private', 'public'] })
      .notNull()
      .default('all'),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.collection, table.id] })],
)

export const retentionRules = sqliteTable(
  'retention_rules',
  {
    organisationId: text('organisation_id').notNull(),
    collection: text('collection').notNull(),
    field: text('field').notNull(),
    /** An age such as `7 years` (see model/age.ts). */
    age: text('age').notNull(),
    created: text('created').notNull(),
    createdBy: text('created_by').notNull(),
    /** The last completed day. */
    completedOn: text('completed_on'),
    /** The time at which a run last took up the rule. */
    lastRun: text('last_run'),
    /** JSON: the SortedCursor of an unfinished day. */
    cursor: text('cursor'),
    /** The counts of the last run's day. */
    removed: integer('removed').notNull().default(0),
    kept: integer('kept').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.collection] })],
)

/** Terms of the bitmap index. A collection's own term has an empty `field`, and its `last` is the highest ordinal. */
export const terms = sqliteTable('terms', {
  id: integer('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  collection: text('collection').notNull(),
  field: text('field').notNull(),
  value: any('value').notNull(),
  count: integer('count').notNull(),
  last: integer('last').notNull(),
})

/** The ordinals of each term's records. */
export const termOrdinals = sqliteView('term_ordinals', {
  termId: integer('term_id').notNull(),
  ordinal: integer('ordinal').notNull(),
}).existing()

/** The term ids of 2,000 consecutive ordinals of a field; see store/summary/packed-fields.ts. */
export const packedColumns = sqliteTable(
  'packed_columns',
  {
    organisationId: text('organisation_id').notNull(),
    collection: text('collection').notNull(),
    field: text('field').notNull(),
    pack: integer('pack').notNull(),
    termIds: text('term_ids').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.collection, table.field, table.pack] }),
  ],
)

/** The version up to which the packed columns have an organisation's changes, and their fields. */
export const packedOrganisations = sqliteTable('packed_organisations', {
  organisationId: text('organisation_id').primaryKey(),
  fields: text('fields').notNull(),
  version: integer('version').notNull(),
})

export const idempotencyKeys = sqliteTable('idempotency_keys', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  requestHash: text('request_hash').notNull(),
  recordId: text('record_id').notNull(),
  created: text('created').notNull(),
  response: text('response'),
})
