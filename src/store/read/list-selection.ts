import { type SQL, sql } from 'drizzle-orm/sql'
import type * as z from 'zod'
import type { Kind } from '../../model/properties/schema.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { QuerySelection } from '../query/record-query.ts'

/** The columns of a list, the kind of its schema, and whether it has a total. */
export type ListSelection = {
  columns: readonly string[]
  selected: SQL
  schema?: Kind
  counted?: boolean
  /** The Zod type of a structured collection. */
  record?: () => z.ZodObject
  /** Finds the Zod type of a collection that the records refer to. Without it, a query cannot follow references. */
  findRecordType?: FindRecordType | undefined
}

/** The Zod type of a structured collection; undefined for people. */
export type FindRecordType = (collection: string) => Promise<z.ZodObject | undefined>

/** The columns of a list, with the times and version of each record if requested. */
export const selectTimes = (
  { columns, selected }: QuerySelection,
  times: boolean,
): QuerySelection =>
  times
    ? {
        columns: [...columns, 'created', 'changed', 'version'],
        selected: sql`${selected}, records.created, records.changed, records.version`,
      }
    : { columns, selected }

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
