import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { type View, viewOf } from '../limits/view.ts'
import { ApiError } from '../model/api-error.ts'
import type { Collection } from '../model/collection.ts'
import { isKind, type Kind, kinds } from '../model/schema.ts'
import { inTime } from '../platform/in-time.ts'
import { isConnectionLost } from '../platform/outage.ts'
import { type Before, before, type FoundBefore, foundBefore } from './before.ts'
import { type ChangesQuery, changesIn, type Place, pageOfChanges } from './changes.ts'
import { type Credential, demand, demandSight, type Needed, toldOf } from './credential.ts'
import { type Body, headAndRows, type Row } from './head-and-rows.ts'
import { mostRowsRead } from './matches.ts'
import { recordsOf } from './page.ts'
import type { PageQuery } from './page-query.ts'
import { pulled, pulledRows, pullLimit } from './pull.ts'
import { type Removal, type Removed, removedOf, removeStatements } from './remove.ts'
import { type RecordOf, seenBy, seenChange, seenMember } from './seen.ts'
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
type Listed = {
  columns: readonly string[]
  selected: SQL
  schema?: Kind
  counted?: boolean
  /** What the records of a structured collection are. */
  record?: z.ZodObject
}

/** A page of a list, and what is told beside it. */
type List = {
  rows: Row[]
  next: ReturnType<typeof pulled>['next']
  schema: string | undefined
  total: number | undefined
}

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
  #isAdmitted = false
  #viewed: { limits: string | null; view: View } | undefined

  constructor(d1: D1Database, credential: Credential) {
    this.#d1 = d1
    this.#credential = credential
    this.organisationId = credential.organisationId
    this.who = credential.who
  }

  /** Throws 401 unless the credential is valid. */
  async check(): Promise<void> {
    await this.#read({}, undefined, { right: null })
  }

  /** What of the records there are the credential sees, as it was last told. */
  get view(): View {
    const { limits } = this.#credential
    if (this.#viewed?.limits !== limits) this.#viewed = { limits, view: viewOf(limits) }
    return this.#viewed.view
  }

  /** Whether the cost may be told: where something is kept from the credential, it would tell of that. */
  get isTold(): boolean {
    return this.#isAdmitted && !this.view.isRedacted
  }

  /** A page of documents as JSON text without the JSON paths in `omitted`, and the total. */
  async page(
    { name, record, item }: Collection,
    query: PageQuery,
    omitted: readonly string[] = [],
  ) {
    const { rows, ...told } = await this.#list(name, query, {
      columns: ['document'],
      selected: without(omitted),
      record,
    })
    const seen = seenBy(this.view, name, item)
    return {
      ...told,
      documents: rows.map((row) => withTimes(seen(String(row.document)), timesOf(row))),
    }
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
  async bookings({ name, record }: Collection, query: PageQuery) {
    const { rows, ...told } = await this.#list(name, query, {
      columns: ['document', 'member_id', 'member'],
      record,
      selected: sql`records.document, records.document ->> '$.memberId' AS member_id, (
        SELECT member.document FROM records AS member
        WHERE member.collection = 'members' AND member.id = records.document ->> '$.memberId'
          AND member.organisation_id = ${this.organisationId}
      ) AS member`,
      schema: 'members',
    })
    const { view } = this
    const seen = seenBy(view, name, record)
    const isLinked = view.linksMembers(record)
    return {
      ...told,
      bookings: rows.map((row) => ({
        document: seen(String(row.document)),
        memberId: isLinked ? String(row.member_id) : '',
        member: seenMember(view, record, textOrUndefined(row.member)),
        times: timesOf(row),
      })),
    }
  }

  /** A page of what changed, and the schemas to show people by; throws 410 where deletions may be missing (additions 2). `recordOf` gives what the records of a structured collection are. */
  async changes(query: ChangesQuery, recordOf: RecordOf) {
    const shown = query.records ? kindNames : []
    const schemas = Object.fromEntries(
      shown.map((kind) => [kind, schemaOf(this.organisationId, kind)]),
    )
    const found = await this.#underView((view) => {
      const { head, body } = changesIn(this.organisationId, view.changes(query))
      return this.#read({ ...head, ...schemas }, body)
    })
    const { view } = this
    for (const collection of query.collections ?? []) demandSight(view, collection)
    const { changes, ...page } = pageOfChanges(query, found)
    return {
      ...page,
      changes: await Promise.all(changes.map((change) => seenChange(view, change, recordOf))),
      schemas: new Map(
        shown.map((kind) => [kind as string, view.schema(kind, textOrUndefined(found.head[kind]))]),
      ),
    }
  }

  /** The place in the feed behind all that has changed so far. */
  async latestChange(): Promise<Place> {
    const { head } = await this.#read({
      version: sql`(SELECT version FROM organisations WHERE id = ${this.organisationId})`,
    })
    return { after: Number(head.version), since: Number(head.version) }
  }

  /** One record, and what was sought beside it. */
  async single(sought: Sought): Promise<Single> {
    const { collection } = sought
    const { head, body } = single(this.organisationId, sought)
    const found = await this.#read(head, body, { right: 'read', collection })
    return this.#seen(singleOf(found), sought)
  }

  /** The schema of a kind as JSON text, `{name, fields}`; undefined when there is none. */
  async schema(kind: Kind): Promise<string | undefined> {
    const { head } = await this.#read({ schema: schemaOf(this.organisationId, kind) }, undefined, {
      right: 'read',
      collection: kind,
    })
    return this.view.schema(kind, textOrUndefined(head.schema))
  }

  /** What there is to know before records are written, whole: the schema of a kind, what the request did before, and the records there are of those ids. Throws 403 without the right to write. */
  async before(written: Before): Promise<FoundBefore> {
    const { head, body } = before(this.organisationId, written)
    return foundBefore(await this.#read(head, body, written))
  }

  /** Keeps records, all or none, in one transaction: all unless something is found to be in the way. Gives what was found, and then what is sought. */
  async write(write: Write, sought: Sought): Promise<{ found: Found; single: Single }> {
    const { view } = this
    const { query, read } = singleQuery(this.organisationId, sought)
    const [row, last] = await this.#transact(write, [
      ...writeStatements(this.#d1, this.#credential, write),
      statement(this.#d1, query),
    ])
    // What was to be written was made under those limits, and is not kept under others.
    if (this.view !== view) throw limitsChanged()
    return { found: foundIn(row), single: this.#seen(read(last), sought) }
  }

  /** Deletes a record, unless something is found to be in the way, in one transaction. */
  async remove(removal: Omit<Removal, 'isPublic'>): Promise<Removed> {
    const { collection, cascade } = removal
    const needed: Needed = { right: 'write', collection }
    for (;;) {
      // What the limits forbid is known before anything is done.
      if (this.#credential.limits !== null) await this.#read({}, undefined, needed)
      const { view } = this
      if (cascade && view.isPart) throw cascadeForbidden()
      const isPublic = view.hidesNotes && collection === 'case-notes'
      const [row] = await this.#transact(
        needed,
        removeStatements(this.#d1, this.#credential, { ...removal, isPublic }),
      )
      if (this.view === view) return removedOf(row)
    }
  }

  /** A page and what is told beside it: its total, or where a pull goes on. Throws 400 where that would read so much that others had to wait. */
  async #list(collection: string, query: PageQuery, listed: Listed) {
    const { view } = this
    const list = await this.#underView((view) => this.#listUnder(view, collection, query, listed))
    // What has been given of a pull was under other limits, and so were its columns.
    if (typeof query.pull === 'object' && this.view !== view) throw limitsChanged()
    return list
  }

  async #listUnder(
    view: View,
    collection: string,
    query: PageQuery,
    listed: Listed,
  ): Promise<List> {
    const { columns: own, selected: shown, schema, counted = true, record } = listed
    const { pull, times = false } = query
    const limit = pull ? pullLimit(pull, query.limit) : query.limit
    const scope = { organisationId: this.organisationId, collection }
    const filters = view.filtersOf(collection, query.filters, record)
    const {
      from,
      total,
      next,
      cost,
      place,
      with: clause,
    } = recordsOf(scope, {
      ...query,
      filters,
      limit,
    })
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
      { right: 'read', collection },
    )
    const { head } = found
    const whole = textOrUndefined(head.schema)
    // Which of people's fields are kept from the credential is known only with their schema.
    if (isKind(collection)) {
      const seen = this.view.filtersOfPeople(collection, query.filters, whole)
      if (seen.some((filter, place) => filter !== query.filters[place]))
        return this.#listUnder(view, collection, { ...query, filters: seen }, listed)
    }
    if (this.view === view && Number(head.cost ?? 0) > mostRowsRead) {
      throw new ApiError(
        'BAD_REQUEST',
        `This would read more than ${mostRowsRead.toLocaleString('en-GB')} rows: ask with fewer filters, with one that fewer records pass, or for a shorter time; /changes gives everything in order of change.`,
      )
    }
    return {
      ...(pull
        ? pulled(pull, columns, found.rows, numberOrUndefined(head.next))
        : { rows: found.rows, next: undefined }),
      schema: schema && this.view.schema(schema, whole),
      // Of a collection without a record there is no count.
      total: head.total === undefined ? undefined : Number(head.total),
    }
  }

  /** Asks under the view that is assumed, and again under the one that is then told, if that is another: the first answer is thrown away, and so is its cost. */
  async #underView<Answer>(ask: (view: View) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const { view } = this
      const { duration, rowsRead } = this.cost
      const answer = await ask(view)
      if (this.view === view) return answer
      Object.assign(this.cost, { duration, rowsRead })
    }
  }

  /** A single record as the credential sees it. */
  #seen(found: Single, { collection, record, schema: kind }: Sought): Single {
    const { view } = this
    const { kept, schema, member } = found
    const isThere = kept && view.shows(collection, kept.document)
    const seen = record && seenBy(view, collection, record)
    return {
      ...found,
      kept: isThere ? { ...kept, document: seen?.(kept.document) ?? kept.document } : undefined,
      schema: kind && view.schema(kind, schema),
      member: record && seenMember(view, record, member),
    }
  }

  /** Learns what the database told of the credential; throws 401 if it is not valid, 403 if it lacks what is needed. */
  #learn(told: unknown, needed: Needed): void {
    this.checked = told !== null
    this.#isAdmitted = false
    const credential = this.#credential
    const { rights, limits } = toldOf(told)
    credential.limits = limits
    demand(rights, this.view, credential.address, needed)
    this.#isAdmitted = true
  }

  /** Reads, or throws what `#learn` does. A read is repeated once if the connection is lost. */
  async #read(
    head: Record<string, SQL>,
    body?: Body,
    needed: Needed = { right: 'read' },
    mayClaim = true,
  ): Promise<{ head: Row; rows: Row[] }> {
    const { right, collection } = needed
    // What the limits forbid is not even read.
    if (collection !== undefined && !this.view.sees(collection)) {
      await this.#read({}, undefined, { right })
      demandSight(this.view, collection)
    }
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
      return this.#read(head, body, needed, false)
    this.#learn(found.head.rights, needed)
    return found
  }

  /** Runs statements as one transaction, of which the first gives a row with the rights, and gives that row and the rows of the last. */
  async #transact(
    needed: Needed,
    statements: D1PreparedStatement[],
    mayClaim = true,
  ): Promise<[Row, Row[]]> {
    const results = await inTime(this.#d1.batch<Row>(statements))
    for (const { meta } of results) this.#count(meta)
    const row = results[0]?.results[0] ?? { rights: null }
    if (row.rights === null && mayClaim && (await this.#credential.claim?.()))
      return this.#transact(needed, statements, false)
    this.#learn(row.rights ?? null, needed)
    return [row, results.at(-1)?.results ?? []]
  }

  #count({ duration, rows_read }: D1Meta): void {
    this.cost.duration += duration
    this.cost.rowsRead += rows_read
  }
}

const kindNames = Object.keys(kinds) as Kind[]

const limitsChanged = () =>
  new ApiError('UNAVAILABLE', 'What these credentials may do was changed meanwhile: try again.', {
    'Retry-After': '1',
  })

const cascadeForbidden = () =>
  new ApiError(
    'FORBIDDEN',
    '$cascade: these credentials do not see all that would be deleted or changed.',
  )

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
