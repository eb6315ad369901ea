import { sql } from 'drizzle-orm'
import type { View } from '../limits/view.ts'
import { ApiError } from '../model/api-error.ts'
import type { Collection } from '../model/collection.ts'
import { isKind, type Kind, kinds } from '../model/schema.ts'
import { inTime } from '../platform/in-time.ts'
import { type Before, before, type FoundBefore, foundBefore } from './before.ts'
import { type ChangesQuery, changesIn, type Place, pageOfChanges } from './changes.ts'
import { Connection, limitsChanged } from './connection.ts'
import { demandSight, type Needed } from './credential.ts'
import type { Body, Row } from './head-and-rows.ts'
import { recordImport } from './imports.ts'
import { type List, type Listed, list, refuseCostly, timesOf, without, withTimes } from './list.ts'
import { ownersOf, type Unique } from './owners.ts'
import type { PageQuery } from './page-query.ts'
import { type Audience, answersOf } from './people.ts'
import { type Removal, type Removed, removedOf, removeStatements } from './remove.ts'
import { type RecordOf, seenBy, seenChange, seenMember } from './seen.ts'
import {
  nothing,
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

/** The records of one organisation. Every read checks that the credential it was opened with is still valid. */
export class Store extends Connection {
  /** For whom there are no forms whose answers are embedded. */
  readonly #formless = new Set<string>()

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
    const found = await this.underView((view) => {
      const { head, body } = changesIn(this.organisationId, view.changes(query))
      return this.read({ ...head, ...schemas }, body)
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
    const { head } = await this.read({
      version: sql`(SELECT version FROM organisations WHERE id = ${this.organisationId})`,
    })
    return { after: Number(head.version), since: Number(head.version) }
  }

  /** The rows of a query about the organisation, which functions of this folder make for people, from whom nothing is kept. */
  async rows(body: Body): Promise<Row[]> {
    return (await this.read({}, body)).rows
  }

  /** One record, and what was sought beside it. */
  async single(sought: Sought): Promise<Single> {
    const { collection } = sought
    const { head, body } = single(this.organisationId, sought)
    const found = await this.read(head, body, { rights: ['read'], collection })
    return this.#seen(singleOf(found), sought)
  }

  /** The schema of a kind as JSON text, `{name, fields}`; undefined when there is none. */
  async schema(kind: Kind): Promise<string | undefined> {
    const { head } = await this.read({ schema: schemaOf(this.organisationId, kind) }, undefined, {
      rights: ['read'],
      collection: kind,
    })
    return this.view.schema(kind, textOrUndefined(head.schema))
  }

  /** What there is to know before records are written, whole: the schema of a kind, what the request did before, and the records there are of those ids. Throws 403 without the rights. */
  async before(written: Before): Promise<FoundBefore> {
    const { head, body } = before(this.organisationId, written)
    return foundBefore(await this.read(head, body, written))
  }

  /** Keeps records, all or none, in one transaction: all unless something is found to be in the way. Gives what was found, and then what is sought, if anything. */
  async write(write: Write, sought?: Sought): Promise<{ found: Found; single: Single }> {
    const { view } = this
    const asked = sought && singleQuery(this.organisationId, sought)
    const [row, last] = await this.transact(write, [
      ...writeStatements(this.d1, this.credential, write),
      ...(asked ? [statement(this.d1, asked.query)] : []),
    ])
    // What was to be written was made under those limits, and is not kept under others.
    if (this.view !== view) throw limitsChanged()
    return { found: foundIn(row), single: asked ? this.#seen(asked.read(last), sought) : nothing }
  }

  /** The records of a collection that have such a value, to whoever may write. */
  async owners(
    collection: string,
    values: readonly Unique[],
  ): Promise<(Unique & { id: string })[]> {
    const scope = { organisationId: this.organisationId, collection }
    const body = { columns: ['id', 'field', 'value'], rows: ownersOf(scope, values) }
    const { rows } = await this.read({}, body, { rights: ['write'], collection })
    return rows.map(({ id, field, value }) => ({
      id: String(id),
      field: String(field),
      value: String(value),
    }))
  }

  /** The responses to schema forms that are linked to these people, each with the person's id, to whoever may write; undefined where there are no such forms. */
  async answers(
    audience: Audience,
    ids: readonly string[],
  ): Promise<{ id: string; document: string }[] | undefined> {
    if (this.#formless.has(audience.formFor)) return undefined
    const asked = answersOf(this.organisationId, audience, ids)
    const { head, rows } = await this.read(asked.head, asked.body, { rights: ['write'] })
    // Asked once and not for each part of a file: D1 takes only so many statements from one request.
    if (head.forms === 0) {
      this.#formless.add(audience.formFor)
      return undefined
    }
    return rows.map(({ id, document }) => ({ id: String(id), document: String(document) }))
  }

  /** Notes that a file of so many records was imported, which its last chunk was allowed to. */
  noteImport(collection: string, records: number): Promise<void> {
    const { organisationId } = this
    return inTime(recordImport(this.d1, { organisationId, collection, records }), this.deadline)
  }

  /** Deletes a record, unless something is found to be in the way, in one transaction. */
  async remove(removal: Omit<Removal, 'isPublic'>): Promise<Removed> {
    const { collection, cascade } = removal
    const needed: Needed = { rights: ['write'], collection }
    for (;;) {
      // What the limits forbid is known before anything is done.
      if (this.credential.limits !== null) await this.read({}, undefined, needed)
      const { view } = this
      if (cascade && view.isPart) throw cascadeForbidden()
      const isPublic = view.hidesNotes && collection === 'case-notes'
      const [row] = await this.transact(
        needed,
        removeStatements(this.d1, this.credential, { ...removal, isPublic }),
      )
      if (this.view === view) return removedOf(row)
    }
  }

  /** A page of a list as the credential sees it, and what is told beside it. */
  async #list(collection: string, query: PageQuery, listed: Listed): Promise<List> {
    const { view } = this
    const list = await this.underView((view) => this.#listUnder(view, collection, query, listed))
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
    const { organisationId } = this
    const filters = view.filtersOf(collection, query.filters, listed.record)
    const { head, body, read } = list({ organisationId, collection }, { ...query, filters }, listed)
    const found = await this.read(head, body, { rights: ['read'], collection })
    const { schema, ...told } = read(found)
    // Which of people's fields are kept from the credential is known only with their schema.
    if (isKind(collection)) {
      const seen = this.view.filtersOfPeople(collection, query.filters, schema)
      if (seen.some((filter, place) => filter !== query.filters[place]))
        return this.#listUnder(view, collection, { ...query, filters: seen }, listed)
    }
    if (this.view === view) refuseCostly(found.head)
    return { ...told, schema: listed.schema && this.view.schema(listed.schema, schema) }
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
}

const kindNames = Object.keys(kinds) as Kind[]

const cascadeForbidden = () =>
  new ApiError(
    'FORBIDDEN',
    '$cascade: these credentials do not see all that would be deleted or changed.',
  )
