import { sql } from 'drizzle-orm/sql'
import type { Derivation } from '../../access/query-fields.ts'
import type { Kind } from '../../model/properties/schema.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import type { RecordProperties } from '../../model/record-properties.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { PageQuery } from '../bitmap/page-query.ts'
import { type Columns, integer, rowDecoder, type Selected, text } from '../columns.ts'
import type { RowBudget } from '../query/query-reader.ts'
import type { Found, Known, Unchanged } from '../state.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'

/** The columns of a list's records, the kind of its schema, and whether it has a total. */
export type ListSelection<C extends Columns = Columns> = {
  /** SQL on the table `records`. The first column is never NULL or a number. */
  columns: C
  schema?: Kind
  counted?: boolean
  /** The Zod type of a structured collection. */
  record?: () => RecordProperties
  /** Finds the Zod type of a collection that the records refer to. Without it, a query cannot follow references. */
  findRecordType?: FindRecordType | undefined
  /** A field that queries can name although no record has it. */
  derived?: DerivedField | undefined
}

/** The Zod types of a structured collection and of those it refers to, and its derived field; people have none. */
export type ListTypes = Pick<ListSelection, 'record' | 'findRecordType' | 'derived'>

export type DerivedField = Derivation & {
  /** Finds the condition that decides it, for records that pass the conditions `within`. */
  find<U extends Unchanged = never>(
    store: Store,
    terms: DerivedTerms<U>,
  ): Promise<Found<{ predicate: Predicate }> | U>
}

type DerivedTerms<U extends Unchanged> = {
  within: readonly Predicate[]
  budget?: RowBudget | undefined
  known?: Known<U> | undefined
}

/** The Zod type of a structured collection; undefined for people. */
export type FindRecordType = (collection: string) => Promise<RecordProperties | undefined>

const timeColumns = {
  created: text(sql`records.created`),
  changed: text(sql`records.changed`),
  version: integer(sql`records.version`),
}

/** The columns of a list, with the times and version of each record if requested. */
export const addTimeColumns = (columns: Columns, { times = false }: PageQuery): Columns =>
  times ? { ...columns, ...timeColumns } : columns

/** A record of a list, with its times and version as trailing JSON properties: '' if they were not requested. */
export type ListedRow<C extends Columns> = Selected<C> & { times: string }

/** Decodes the rows of `addTimeColumns`. */
export function decodeListed<C extends Columns>(columns: C, rows: readonly Row[]): ListedRow<C>[] {
  const decode = rowDecoder(columns)
  return rows.map((row) => Object.assign(decode(row), { times: formatTimes(row) }))
}

const decodeTimes = rowDecoder(timeColumns)

function formatTimes(row: Row): string {
  if (row.created === undefined) return ''
  const { created, changed, version } = decodeTimes(row)
  return `,"$created":${JSON.stringify(created)},"$updated":${JSON.stringify(changed)},"$version":${version}`
}

// The schemas last reported, by collection and organisation.
const schemas = new BoundedMap<string, string | undefined>(100)

/**
 * The schema that a query of people assumes. It decides which fields are hidden, and is assumed so
 * that not even the response time reveals whether a filter on a hidden field matches.
 */
export function assumeSchema(collection: string, organisationId: string) {
  const key = `${collection} ${organisationId}`
  const assumed = schemas.get(key)
  return {
    assumed,
    /** Whether the database reports the same schema; stores another for the next attempt. */
    isCurrent(reported: string | undefined): boolean {
      if (reported === assumed) return true
      schemas.set(key, reported)
      return false
    },
  }
}
