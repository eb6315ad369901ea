import { sql } from 'drizzle-orm'
import type { AccessPolicy } from '../access/access-policy.ts'
import { requireCollection } from '../access/credential.ts'
import type { Collection } from '../model/collection.ts'
import { isKind, type Kind, kindNames } from '../model/schema.ts'
import { accessChanged, Connection } from './connection.ts'
import { buildChanges, type ChangeCursor, type ChangesQuery, parseChanges } from './read/changes.ts'
import {
  appendTimes,
  buildList,
  documentWithout,
  formatTimes,
  type ListPage,
  type ListSelection,
  rejectCostlyQuery,
} from './read/list.ts'
import type { PageQuery } from './read/page-query.ts'
import { type RecordOf, redactChange, redactor, visibleMember } from './read/redact.ts'
import {
  buildSingle,
  parseSingle,
  type Single,
  type SingleQuery,
  schemaColumn,
  textOrUndefined,
} from './read/single.ts'
import type { Body, Row } from './sql/head-and-rows.ts'

// The schemas of people by which filters were last held to what a credential sees, by kind and organisation.
const lastSchemas = new Map<string, string | undefined>()
const mostSchemas = 100

/** The records of one organisation as a credential sees them. Every read checks that it is still valid. */
export class Reader extends Connection {
  /** A page of documents as JSON text without the JSON paths in `omitted`, and the total. */
  async page(
    { name, record, item }: Collection,
    query: PageQuery,
    omitted: readonly string[] = [],
  ) {
    const { rows, ...told } = await this.#list(name, query, {
      columns: ['document'],
      selected: documentWithout(omitted),
      record,
    })
    const seen = redactor(this.view, name, item)
    return {
      ...told,
      documents: rows.map((row) => appendTimes(seen(String(row.document)), formatTimes(row))),
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
        times: formatTimes(row),
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
    const seen = redactor(view, name, record)
    const isLinked = view.showsBookingMember(record)
    return {
      ...told,
      bookings: rows.map((row) => ({
        document: seen(String(row.document)),
        memberId: isLinked ? String(row.member_id) : '',
        member: visibleMember(view, record, textOrUndefined(row.member)),
        times: formatTimes(row),
      })),
    }
  }

  /** A page of what changed, and the schemas to show people by; throws 410 where deletions may be missing (additions 2). `recordOf` gives what the records of a structured collection are. */
  async changes(query: ChangesQuery, recordOf: RecordOf) {
    const shown = query.records ? kindNames : []
    const schemas = Object.fromEntries(
      shown.map((kind) => [kind, schemaColumn(this.organisationId, kind)]),
    )
    const found = await this.withPolicy((view) => {
      const { head, body } = buildChanges(this.organisationId, view.limitChanges(query))
      return this.read({ ...head, ...schemas }, body)
    })
    const { view } = this
    for (const collection of query.collections ?? []) requireCollection(view, collection)
    const { changes, ...page } = parseChanges(query, found)
    this.countReturned('changes', changes.length)
    return {
      ...page,
      changes: await Promise.all(changes.map((change) => redactChange(view, change, recordOf))),
      schemas: new Map(
        shown.map((kind) => [
          kind as string,
          view.redactSchema(kind, textOrUndefined(found.head[kind])),
        ]),
      ),
    }
  }

  /** The place in the feed behind all that has changed so far. */
  async latestChange(): Promise<ChangeCursor> {
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
  async single(sought: SingleQuery): Promise<Single> {
    const { collection } = sought
    const { head, body } = buildSingle(this.organisationId, sought)
    const found = await this.read(head, body, { rights: ['read'], collection })
    return this.seen(parseSingle(found), sought)
  }

  /** The schema of a kind as JSON text, `{name, fields}`; undefined when there is none. */
  async schema(kind: Kind): Promise<string | undefined> {
    const { head } = await this.read(
      { schema: schemaColumn(this.organisationId, kind) },
      undefined,
      {
        rights: ['read'],
        collection: kind,
      },
    )
    return this.view.redactSchema(kind, textOrUndefined(head.schema))
  }

  /** A page of a list as the credential sees it, and what is told beside it. */
  async #list(collection: string, query: PageQuery, listed: ListSelection): Promise<ListPage> {
    const { view } = this
    const list = await this.withPolicy((view) => this.#listUnder(view, collection, query, listed))
    // What has been given of a pull was under other limits, and so were its columns.
    if (typeof query.pull === 'object' && this.view !== view) throw accessChanged()
    return list
  }

  async #listUnder(
    view: AccessPolicy,
    collection: string,
    query: PageQuery,
    listed: ListSelection,
  ): Promise<ListPage> {
    const { organisationId } = this
    // Which of people's fields are kept from the credential, their schema says: that of the answer before,
    // or else none, so that not even how long it takes tells what a filter on one of them would find.
    const place = `${collection} ${organisationId}`
    const assumed = lastSchemas.get(place)
    const filters = isKind(collection)
      ? view.limitPersonFilters(collection, query.filters, assumed)
      : view.limitFilters(collection, query.filters, listed.record)
    const { head, body, read } = buildList(
      { organisationId, collection },
      { ...query, filters },
      listed,
    )
    const found = await this.read(head, body, { rights: ['read'], collection })
    const { schema, ...told } = read(found)
    if (isKind(collection) && filters !== query.filters && schema !== assumed) {
      if (lastSchemas.size >= mostSchemas) lastSchemas.clear()
      lastSchemas.set(place, schema)
      return this.#listUnder(view, collection, query, listed)
    }
    if (this.view === view) rejectCostlyQuery(found.head)
    return { ...told, schema: listed.schema && this.view.redactSchema(listed.schema, schema) }
  }

  /** A single record as the credential sees it. */
  protected seen(found: Single, { collection, record, schema: kind }: SingleQuery): Single {
    const { view } = this
    const { kept, schema, member } = found
    const isThere = kept && view.allowsRecord(collection, kept.document)
    const seen = record && redactor(view, collection, record)
    if (isThere) this.countReturned(collection, 1)
    return {
      ...found,
      kept: isThere ? { ...kept, document: seen?.(kept.document) ?? kept.document } : undefined,
      schema: kind && view.redactSchema(kind, schema),
      member: record && visibleMember(view, record, member),
    }
  }
}
