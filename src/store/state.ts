import { type SQL, sql } from 'drizzle-orm/sql'
import { ApiError } from '../model/api-error.ts'
import { type Columns, expressionsOf } from './columns.ts'
import type { Body, Row } from './statement.ts'

/** The content of a read, and the query for the credential's current access. */
type Read = { access: SQL; head: Record<string, SQL>; body: Body | undefined }

/**
 * Adds the organisation's state to a read: its version, a space and the time of its last change. In
 * one of the known versions, the read yields NULL and no rows instead of its content.
 */
export function addState(
  organisationId: string,
  { versions, head: always = {} }: Pick<Known<Unchanged>, 'versions' | 'head'>,
  { access, head, body }: Read,
): Read {
  const state = sql`SELECT version || ' ' || changed AS state`
  const organisation = sql`FROM organisations WHERE organisations.id = ${organisationId}`
  // As a scalar, the state costs one row less than in the source.
  if (versions.length === 0)
    return {
      access,
      head: { state: sql`(${state} ${organisation})`, ...expressionsOf(always), ...head },
      body,
    }
  // One parameter for all versions, because a statement has at most 100.
  const isNew = sql`instr(${`,${versions.join(',')},`}, ',' || version || ',') = 0`
  const readIfNew = ([name, value]: [string, SQL]) =>
    [name, sql`CASE WHEN source.is_new THEN ${value} END`] as const
  return {
    access: sql`SELECT * FROM (${access}) CROSS JOIN (${state}, ${isNew} AS is_new ${organisation})`,
    head: {
      state: sql`source.state`,
      ...expressionsOf(always),
      ...Object.fromEntries(Object.entries(head).map(readIfNew)),
    },
    body: body && {
      ...body,
      // SQLite evaluates a limit before it reads a row, but a condition after each row.
      rows: sql`SELECT * FROM (${body.rows}) LIMIT iif((SELECT ${isNew} ${organisation}), -1, 0)`,
    },
  }
}

/** The version in a state. */
export function versionOf(state: string): string {
  const [version = ''] = state.split(' ')
  return version
}

/** Content that was read, and the organisation's state: empty unless the caller named known versions. */
export type Found<Content> = Content & { unchanged?: false; state: string }

/** The result of a read in a version that the caller knows: it has no content, only what is read in every version. */
export type Unchanged = { unchanged: true; state: string; head: Row }

/**
 * The versions of the organisation in which a caller has the content already. A read with them also
 * returns the state that its first statement found, so that the state is never newer than the content.
 */
export type Known<U extends Unchanged> = {
  versions: readonly string[]
  /** Values that do not belong to the content, which the first statement reads in every version. */
  head?: Columns | undefined
  unchanged?: (state: string, head: Row) => U
}

export const knownVersions = (versions: readonly string[], head?: Columns): Known<Unchanged> => ({
  versions,
  head,
  unchanged: (state, row) => ({ unchanged: true, state, head: row }),
})

/** For a caller without content that also needs the state. */
export const onlyState: Known<never> = { versions: [] }

/** The error for a change of access during a request. */
export class OutdatedAccessError extends ApiError {
  constructor() {
    super('UNAVAILABLE', 'The access of these credentials changed during the request: try again.', {
      'Retry-After': '1',
    })
  }
}
