import { type SQL, sql } from 'drizzle-orm'
import { ApiError } from '../model/api-error.ts'
import type { Kind } from '../model/schema.ts'
import { inTime } from '../platform/in-time.ts'
import { isConnectionLost } from '../platform/outage.ts'
import { createMember, madeBefore, type Repeatable } from './create.ts'
import { type Body, headAndRows, type Row } from './head-and-rows.ts'
import { mostRowsRead } from './matches.ts'
import type { Unique } from './owners.ts'
import { type Page, type PageQuery, recordsOf } from './page.ts'
import type { Written } from './put.ts'
import { statement } from './statement.ts'

/** Who asks, for which organisation, and the SQL condition that holds as long as they may. */
export type Credential = {
  organisationId: string
  /** Who asks: the key, or the user. */
  who: string
  holds: SQL
  /** What may make the condition hold the first time; tells whether to look again. */
  claim?: () => Promise<boolean>
  /** What to note, after the answer, of a credential that was found good. */
  noteUse?: () => Promise<void>
}

/** A record as it is kept: its document as JSON text, and the version and time of its last change. */
export type Kept = { document: string; version: number; changed: string }

/** The records of one organisation, for as long as the credential it was opened with holds: every read checks it. */
export class Store {
  readonly organisationId: string
  readonly who: string
  /** Whether the credential has been found good in the database by a read of this store. */
  checked = false
  /** What the reads of this store have cost: milliseconds in the database, and rows read. */
  readonly cost = { duration: 0, rowsRead: 0 }
  readonly #d1: D1Database
  readonly #credential: Credential

  constructor(d1: D1Database, credential: Credential) {
    this.#d1 = d1
    this.#credential = credential
    this.organisationId = credential.organisationId
    this.who = credential.who
  }

  /** Throws 401 unless the credential holds. */
  async check(): Promise<void> {
    await this.#read({})
  }

  /** A page of documents as JSON text, less what `omitted` names by JSON path, and the total. */
  async page(collection: string, query: PageQuery, omitted: readonly string[] = []) {
    const page = this.#page(collection, query)
    const { head, rows } = await this.#list(page, ['document'], without(omitted), {
      total: page.total,
    })
    return { documents: rows.map((row) => String(row.document)), total: Number(head.total) }
  }

  /** A page of people with the schema of their kind, both as JSON text, and the total if `counted`: the list of members tells none (contract 4.2). */
  async people(kind: Kind, query: PageQuery, counted: boolean) {
    const page = this.#page(kind, query)
    const person = sql`records.id, records.document`
    // Not counted unless told: to count several filters, every block is read.
    const { head, rows } = await this.#list(page, ['id', 'document'], person, {
      ...(counted && { total: page.total }),
      schema: this.#schema(kind),
    })
    return {
      people: rows.map((row) => ({ id: String(row.id), document: String(row.document) })),
      schema: textOrUndefined(head.schema),
      total: counted ? Number(head.total) : undefined,
    }
  }

  /** A page of bookings, each with the document of the member it is for, and the members' schema. */
  async bookings(query: PageQuery) {
    const page = this.#page('bookings', query)
    const booking = sql`records.document, records.document ->> '$.memberId' AS member_id, (
      SELECT member.document FROM records AS member
      WHERE member.collection = 'members' AND member.id = records.document ->> '$.memberId'
        AND member.organisation_id = ${this.organisationId}
    ) AS member`
    const { head, rows } = await this.#list(page, ['document', 'member_id', 'member'], booking, {
      total: page.total,
      schema: this.#schema('members'),
    })
    return {
      bookings: rows.map((row) => ({
        document: String(row.document),
        memberId: String(row.member_id),
        member: textOrUndefined(row.member),
      })),
      schema: textOrUndefined(head.schema),
      total: Number(head.total),
    }
  }

  /** One record; undefined when the organisation has none with this id. */
  async record(collection: string, id: string): Promise<Kept | undefined> {
    const { rows } = await this.#read({}, this.#one(collection, id))
    return keptOf(rows)
  }

  /** One person and the schema of their kind; if `lookElsewhere`, `elsewhere` tells that another organisation has a person with this id. */
  async person(kind: Kind, id: string, lookElsewhere: boolean) {
    const { head, rows } = await this.#read(
      {
        schema: this.#schema(kind),
        elsewhere: lookElsewhere
          ? sql`EXISTS (SELECT 1 FROM records WHERE collection = ${kind} AND id = ${id})`
          : sql`NULL`,
      },
      this.#one(kind, id),
    )
    return {
      kept: keptOf(rows),
      schema: textOrUndefined(head.schema),
      elsewhere: head.elsewhere === 1,
    }
  }

  /** The schema of a kind as JSON text, `{name, fields}`; undefined when there is none. */
  async schema(kind: Kind): Promise<string | undefined> {
    const { head } = await this.#read({ schema: this.#schema(kind) })
    return textOrUndefined(head.schema)
  }

  /** What there is to know before a person of a kind is created: the schema, and what this request made before; both as JSON text. */
  async creation(kind: Kind, request: Repeatable | undefined) {
    const { head } = await this.#read({
      schema: this.#schema(kind),
      before: request ? madeBefore(request) : sql`NULL`,
    })
    return { schema: textOrUndefined(head.schema), before: textOrUndefined(head.before) }
  }

  /** Keeps a new member, unless another has one of its unique values: their fields are given. */
  createMember(member: Written, unique: readonly Unique[], request: Repeatable | undefined) {
    const { holds } = this.#credential
    return createMember(this.#d1, this.organisationId, holds, member, unique, request)
  }

  #page(collection: string, query: PageQuery) {
    return recordsOf({ organisationId: this.organisationId, collection }, query)
  }

  /** What a page selects, and the head; throws 400 where that would read so much that others had to wait. */
  async #list(
    { from, cost, with: clause }: Page,
    columns: readonly string[],
    selected: SQL,
    head: Record<string, SQL>,
  ) {
    const body = { columns, with: clause, rows: sql`SELECT ${selected} ${from}` }
    const found = await this.#read({ ...head, ...(cost && { cost }) }, body)
    if (Number(found.head.cost ?? 0) > mostRowsRead) {
      throw new ApiError(
        'BAD_REQUEST',
        `This would read more than ${mostRowsRead.toLocaleString('en-GB')} rows: ask with fewer filters, or with one that fewer records pass.`,
      )
    }
    return found
  }

  #one(collection: string, id: string): Body {
    return {
      columns: ['document', 'version', 'changed'],
      rows: sql`SELECT document, version, changed FROM records
        WHERE collection = ${collection} AND id = ${id} AND organisation_id = ${this.organisationId}`,
    }
  }

  #schema(kind: Kind): SQL {
    return sql`(SELECT '{"name":' || json_quote(name) || ',"fields":' || fields || '}' FROM schemas
      WHERE organisation_id = ${this.organisationId} AND kind = ${kind})`
  }

  /** Throws 401 unless the credential holds; what only reads is asked again when the connection was lost. */
  async #read(
    head: Record<string, SQL>,
    body?: Body,
    mayClaim = true,
  ): Promise<{ head: Row; rows: Row[] }> {
    const { holds, claim } = this.#credential
    const { query, split } = headAndRows({ holds, ...head }, body)
    const asked = statement(this.#d1, query)
    const ask = () => inTime(asked.run<Row>())
    const { results, meta } = await ask().catch((error: unknown) => {
      if (isConnectionLost(error)) return ask()
      throw error
    })
    this.cost.duration += meta.duration
    this.cost.rowsRead += meta.rows_read
    const found = split(results)
    if (found.head.holds !== 1) {
      if (mayClaim && (await claim?.())) return this.#read(head, body, false)
      throw new ApiError('UNAUTHORIZED', 'These credentials are not valid.')
    }
    this.checked = true
    return found
  }
}

const without = (paths: readonly string[]): SQL =>
  paths.length === 0
    ? sql`records.document`
    : sql`json_remove(records.document, ${sql.join(
        paths.map((path) => sql`${path}`),
        sql`, `,
      )}) AS document`

const keptOf = ([row]: Row[]): Kept | undefined =>
  row && {
    document: String(row.document),
    version: Number(row.version),
    changed: String(row.changed),
  }

const textOrUndefined = (value: Row[string] | undefined) =>
  value === null || value === undefined ? undefined : String(value)
