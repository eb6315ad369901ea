import { customType, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** A STRICT table's ANY column: each value keeps the type it was given. */
const any = customType<{ data: string | number | ArrayBuffer }>({ dataType: () => 'any' })

export const organisations = sqliteTable('organisations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  created: text('created').notNull(),
})

export const apiKeys = sqliteTable('api_keys', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  name: text('name').notNull(),
  prefix: text('prefix').notNull(),
  hash: text('hash').notNull(),
  created: text('created').notNull(),
  revoked: text('revoked'),
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
  position: integer('position').notNull(),
  document: text('document').notNull(),
  updated: text('updated').notNull(),
})

export const terms = sqliteTable('terms', {
  id: integer('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  collection: text('collection').notNull(),
  field: text('field').notNull(),
  value: any('value').notNull(),
  count: integer('count').notNull(),
})

export const postings = sqliteTable('postings', {
  term: integer('term').notNull(),
  row: integer('row').notNull(),
})
