import { type SQL, sql } from 'drizzle-orm'
import { ApiError } from '../model/api-error.ts'
import type { Right } from '../model/rights.ts'
import { type Kind, kinds } from '../model/schema.ts'
import { inTime } from '../platform/in-time.ts'
import { isConnectionLost } from '../platform/outage.ts'
import { type Before, before, type FoundBefore, foundBefore } from './before.ts'
import { type ChangesQuery, changesIn, type Place, pageOfChanges } from './changes.ts'
import { type Credential, demand } from './credential.ts'
import { type Body, headAndRows, type Row } from './head-and-rows.ts'
import { mostRowsRead } from './matches.ts'
import { recordsOf } from './page.ts'
import type { PageQuery } from './page-query.ts'
import { pulled, pulledRows, pullLimit } from './pull.ts'
import { type Removal, type Removed, removedOf, removeStatements } from './remove.ts'
import {
  type Single,
  type Sought,
  schemaOf,
  single,
  singleOf,
  singleQuery,
  textOrUndefined,
} from './single.ts'
import { statement } from './statement.ts'
import { type Found, foundIn, type Write, writeStatements } from './write.ts'

/** What a list selects: its columns, whose schema it needs, and whether it is counted. */
type Listed = { columns: readonly string[]; selected: SQL; schema?: Kind; counted?: boolean }

/** The records of one organisation. Every read checks that the credential it was opened with is still valid. */
export class Store {
  readonly organisationId: string
  readonly who: string
  /** Whether a read of this store has found the credential valid. */
  checked = false
  /** What this store's reads have cost: milliseconds in the database, and rows read. */
  readonly cost = { duration: 0, rowsRead: 0 }
  readonly #d1: D1Database
  readonly #credential: Credential

  constructor(d1: D1Database, credential: Credential) {
    this.#d1 = d1
    this.#credential = credential
    this.organisationId = credential.organisationId
    this.who = credential.who
  }

  /** Throws 401 unless the credential is valid. */
  async check(): Promise<void> {
    await this.#read({}, undefined, null)
  }

  /** A page of documents as JSON text without the JSON paths in `omitted`, and the total. */
  async page(collection: string, query: PageQuery, omitted: readonly string[] = []) {
    const { rows, ...told } = await this.#list(collection, query, {
      columns: ['document'],
      selected: without(omitted),
    })
    return { ...told, documents: rows.map((row) => withTimes(String(row.document), timesOf(row))) }
  }

  /** A page of people and the schema of their kind, both as JSON text, and the total if `counted`: the members' list has none (contract 4.2). */
  async people(kind: Kind, query: PageQuery, counted: boolean) {
    // Not counted unless told: to count several filters, every block is read.
    const { rows, ...told } = await this.#list(kind, query, {
      columns: ['id', 'document'],
      selected: sql`records.id, records.document`,
      schema: kind,
      counted,
    })
    return {
      ...told,
      people: rows.map((row) => ({
        id: String(row.id),
        document: String(row.document),
        times: timesOf(row),
      })),
    }
  }

  /** A page of bookings, each with the document of the member it is for, and the members' schema. */
  async bookings(query: PageQuery) {
    const { rows, ...told } = await this.#list('bookings', query, {
      columns: ['document', 'member_id', 'member'],
      selected: sql`records.document, records.document ->> '$.memberId' AS member_id, (
        SELECT member.document FROM records AS member
        WHERE member.collection = 'members' AND member.id = records.document ->> '$.memberId'
          AND member.organisation_id = ${this.organisationId}
      ) AS member`,
      schema: 'members',
    })
    return {
      ...told,
      bookings: rows.map((row) => ({
        document: String(row.document),
        memberId: String(row.member_id),
        member: textOrUndefined(row.member),
        times: timesOf(row),
      })),
    }
  }

  /** A page of what changed, and the schemas to show people by; throws 410 where deletions may be missing (additions 2). */
  async changes(query: ChangesQuery) {
    const { head, body } = changesIn(this.organisationId, query)
    const shown = query.records ? kindNames : []
    const schemas = Object.fromEntries(
      shown.map((kind) => [kind, schemaOf(this.organisationId, kind)]),
    )
    const found = await this.#read({ ...head, ...schemas }, body)
    return {
      ...pageOfChanges(query, found),
      schemas: new Map(shown.map((kind) => [kind as string, textOrUndefined(found.head[kind])])),
    }
  }

  /** The place in the feed behind all that has changed so far. */
  async latestChange(): Promise<Place> {
    const { head } = await this.#read({
      version: sql`(SELECT version FROM organisations WHERE id = ${this.organisationId})`,
    })
    return { after: Number(head.version), since: Number(head.version) }
  }

  /** The rows of a query about the organisation, which functions of this folder make. */
  async rows(body: Body): Promise<Row[]> {
    return (await this.#read({}, body)).rows
  }

  /** One record, and what was sought beside it. */
  async single(sought: Sought): Promise<Single> {
    const { head, body } = single(this.organisationId, sought)
    return singleOf(await this.#read(head, body))
  }

  /** The schema of a kind as JSON text, `{name, fields}`; undefined when there is none. */
  async schema(kind: Kind): Promise<string | undefined> {
    const { head } = await this.#read({ schema: schemaOf(this.organisationId, kind) })
    return textOrUndefined(head.schema)
  }

  /** What there is to know before records are written: the schema of a kind, what the request did before, and the records there are of those ids. Throws 403 without the right to write. */
  async before(written: Before): Promise<FoundBefore> {
    const { head, body } = before(this.organisationId, written)
    return foundBefore(await this.#read(head, body, written.right))
  }

  /** Keeps records, all or none, in one transaction: all unless something is found to be in the way. Gives what was found, and then what is sought. */
  async write(write: Write, sought: Sought): Promise<{ found: Found; single: Single }> {
    const { query, read } = singleQuery(this.organisationId, sought)
    const [row, last] = await this.#transact(write.right, [
      ...writeStatements(this.#d1, this.#credential, write),
      statement(this.#d1, query),
    ])
    return { found: foundIn(row), single: read(last) }
  }

  /** Deletes a record, unless something is found to be in the way, in one transaction. */
  async remove(removal: Removal): Promise<Removed> {
    const [row] = await this.#transact(
      'write',
      removeStatements(this.#d1, this.#credential, removal),
    )
    return removedOf(row)
  }

  /** A page and what is told beside it: its total, or where a pull goes on. Throws 400 where that would read so much that others had to wait. */
  async #list(
    collection: string,
    query: PageQuery,
    { columns: own, selected: shown, schema, counted = true }: Listed,
  ) {
    const { pull, times = false } = query
    const limit = pull ? pullLimit(pull, query.limit) : query.limit
    const scope = { organisationId: this.organisationId, collection }
    const { from, total, next, cost, place, with: clause } = recordsOf(scope, { ...query, limit })
    const columns = times ? [...own, 'created', 'changed', 'version'] : own
    const timed = times ? sql`, records.created, records.changed, records.version` : sql``
    const selected = sql`${shown}${timed}`
    const rows = pull
      ? pulledRows(columns, sql`SELECT ${selected}, ${place} AS place ${from}`, limit)
      : sql`SELECT ${selected} ${from}`
    const found = await this.#read(
      {
        ...(pull ? { next } : counted && { total }),
        ...(schema && { schema: schemaOf(this.organisationId, schema) }),
        ...(cost && { cost }),
      },
      { columns, with: clause, rows },
    )
    const { head } = found
    if (Number(head.cost ?? 0) > mostRowsRead) {
      throw new ApiError(
        'BAD_REQUEST',
        `This would read more than ${mostRowsRead.toLocaleString('en-GB')} rows: ask with fewer filters, with one that fewer records pass, or for a shorter time; /changes gives everything in order of change.`,
      )
    }
    return {
      ...(pull
        ? pulled(pull, columns, found.rows, numberOrUndefined(head.next))
        : { rows: found.rows, next: undefined }),
      schema: textOrUndefined(head.schema),
      // Of a collection without a record there is no count.
      total: head.total === undefined ? undefined : Number(head.total),
    }
  }

  /** Reads, or throws 401 if the credential is not valid, 403 if it lacks the right. A read is repeated once if the connection is lost. */
  async #read(
    head: Record<string, SQL>,
    body?: Body,
    right: Right | null = 'read',
    mayClaim = true,
  ): Promise<{ head: Row; rows: Row[] }> {
    const { rights, claim } = this.#credential
    const { query, split } = headAndRows({ rights, ...head }, body)
    const asked = statement(this.#d1, query)
    const ask = () => inTime(asked.run<Row>())
    const { results, meta } = await ask().catch((error: unknown) => {
      if (isConnectionLost(error)) return ask()
      throw error
    })
    this.#count(meta)
    const found = split(results)
    if (found.head.rights === null && mayClaim && (await claim?.()))
      return this.#read(head, body, right, false)
    this.checked = found.head.rights !== null
    demand(found.head.rights, right)
    return found
  }

  /** Runs statements as one transaction, of which the first gives a row with the rights, and gives that row and the rows of the last. */
  async #transact(
    right: Right,
    statements: D1PreparedStatement[],
    mayClaim = true,
  ): Promise<[Row, Row[]]> {
    const results = await inTime(this.#d1.batch<Row>(statements))
    for (const { meta } of results) this.#count(meta)
    const row = results[0]?.results[0] ?? { rights: null }
    if (row.rights === null && mayClaim && (await this.#credential.claim?.()))
      return this.#transact(right, statements, false)
    this.checked = row.rights !== null
    demand(row.rights, right)
    return [row, results.at(-1)?.results ?? []]
  }

  #count({ duration, rows_read }: D1Meta): void {
    this.cost.duration += duration
    this.cost.rowsRead += rows_read
  }
}

const kindNames = Object.keys(kinds) as Kind[]

const without = (paths: readonly string[]): SQL =>
  paths.length === 0
    ? sql`records.document`
    : sql`json_remove(records.document, ${sql.join(
        paths.map((path) => sql`${path}`),
        sql`, `,
      )}) AS document`

/** What a list shows of a record's times, after its last property; nothing where they are not asked for. */
const timesOf = ({ created, changed, version }: Row): string =>
  created === undefined
    ? ''
    : `,"$created":${JSON.stringify(created)},"$updated":${JSON.stringify(changed)},"$version":${version}`

/** A document with its times behind its last property. */
export const withTimes = (document: string, times: string) =>
  times === '' ? document : `${document.slice(0, -1)}${document === '{}' ? times.slice(1) : times}}`

const numberOrUndefined = (value: Row[string] | undefined) =>
  value === null || value === undefined ? undefined : Number(value)
