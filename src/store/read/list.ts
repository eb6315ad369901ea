import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { ApiError } from '../../model/api-error.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import { buildPage } from '../bitmap/page.ts'
import type { ExportCursor, PageQuery } from '../bitmap/page-query.ts'
import type { Row, Scope } from '../statement.ts'
import { exportLimit, exportRows, parseExportRows } from './export-page.ts'
import { schemaColumn, textOrUndefined } from './single.ts'

/** The columns of a list, the kind of its schema, and whether it is counted. */
export type ListSelection = {
  columns: readonly string[]
  selected: SQL
  schema?: Kind
  counted?: boolean
  /** The Zod type of a structured collection. */
  record?: z.ZodObject
}

/** A page of a list with its total, or the next cursor of an export, and a schema as JSON text. */
export type ListPage = {
  rows: Row[]
  next: ExportCursor | undefined
  schema: string | undefined
  total: number | undefined
}

/** Returns the head and body that read a page of a list, and a function that parses the result. */
export function buildList(
  scope: Scope,
  query: PageQuery,
  { columns: own, selected: shown, schema, counted = true }: ListSelection,
) {
  const { pull, times = false } = query
  const limit = pull ? exportLimit(pull, query.limit) : query.limit
  const isCounted = counted && !pull
  const page = buildPage(scope, { ...query, limit }, isCounted)
  const { from, total, next, cost, place, with: clause } = page
  const columns = times ? [...own, 'created', 'changed', 'version'] : own
  const timed = times ? sql`, records.created, records.changed, records.version` : sql``
  const selected = sql`${shown}${timed}`
  const rows = pull
    ? exportRows(columns, sql`SELECT ${selected}, ${place} AS place ${from}`, limit)
    : sql`SELECT ${selected} ${from}`
  const head = {
    ...(pull ? { next } : isCounted && { total }),
    ...(schema && { schema: schemaColumn(scope.organisationId, schema) }),
    ...(cost && { cost }),
  }
  return { head, body: { columns, with: clause, rows }, read }

  function read({ head, rows }: { head: Row; rows: Row[] }): ListPage {
    return {
      ...(pull
        ? parseExportRows(pull, columns, rows, numberOrUndefined(head.next))
        : { rows, next: undefined }),
      schema: textOrUndefined(head.schema),
      // A collection without records has no count.
      total: head.total === undefined ? undefined : Number(head.total),
    }
  }
}

/** Throws 400 if the query would read more rows than `maxRowsRead`. */
export function rejectCostlyQuery({ cost }: Row): void {
  if (Number(cost ?? 0) <= maxRowsRead) return
  throw new ApiError(
    'BAD_REQUEST',
    `This would read more than ${maxRowsRead.toLocaleString('en-GB')} rows. Use fewer filters, a filter that fewer records pass, or a shorter range of time; /changes has everything in order of change.`,
  )
}

/** Returns SQL for a record's document without these JSON paths. */
export const documentWithout = (paths: readonly string[]): SQL =>
  paths.length === 0
    ? sql`records.document`
    : sql`json_remove(records.document, ${sql.join(
        paths.map((path) => sql`${path}`),
        sql`, `,
      )}) AS document`

/** Returns a record's times as they follow its last property; '' if not requested. */
export const formatTimes = ({ created, changed, version }: Row): string =>
  created === undefined
    ? ''
    : `,"$created":${JSON.stringify(created)},"$updated":${JSON.stringify(changed)},"$version":${version}`

/** Returns a document with its times behind the last property. */
export const appendTimes = (document: string, times: string) =>
  times === '' ? document : `${document.slice(0, -1)}${document === '{}' ? times.slice(1) : times}}`

const numberOrUndefined = (value: Row[string] | undefined) =>
  value === null || value === undefined ? undefined : Number(value)
