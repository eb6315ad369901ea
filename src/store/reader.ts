import { sql } from 'drizzle-orm'
import type { AccessPolicy } from '../access/access-policy.ts'
import { requireCollection } from '../access/credential.ts'
import type { Collection } from '../model/collection.ts'
import { isKind, type Kind, kindNames } from '../model/properties/schema.ts'
import type { PageQuery } from './bitmap/page-query.ts'
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
import { type RecordOf, redactChange, redactor, visibleMember } from './read/redact.ts'
import {
  buildSingle,
  parseSingle,
  type Single,
  type SingleQuery,
  schemaColumn,
  textOrUndefined,
} from './read/single.ts'
import type { Body, Row } from './statement.ts'

// The schemas that the last filters were checked against, by kind and organisation.
const lastSchemas = new Map<string, string | undefined>()
const mostSchemas = 100

/**
 * The records of one organisation that a credential may see. Every read checks that the credential
 * is still valid.
 */
export class Reader extends Connection {
  /** Returns a page of documents as JSON text without the paths in `omitted`, and the total. */
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

  /**
   * Returns a page of people and their schema as JSON text, and the total if `counted`: the list of
   * members has none (contract 4.2).
   */
  async people(kind: Kind, query: PageQuery, counted: boolean) {
    // Counting with several filters reads every block.
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

  /** Returns a page of bookings, each with its member's document, and the members' schema. */
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

  /**
   * Returns a page of changes, and the schemas of people; throws 410 if deletions may be missing
   * (additions 2). `recordOf` gives the Zod type of a structured collection.
   */
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

  /** Returns the cursor behind the latest change. */
  async latestChange(): Promise<ChangeCursor> {
    const { head } = await this.read({
      version: sql`(SELECT version FROM organisations WHERE id = ${this.organisationId})`,
    })
    return { after: Number(head.version), since: Number(head.version) }
  }

  /**
   * Returns the rows of a query about the organisation. Functions of this folder use it for callers
   * who see everything.
   */
  async rows(body: Body): Promise<Row[]> {
    return (await this.read({}, body)).rows
  }

  /** Returns one record and related data. */
  async single(sought: SingleQuery): Promise<Single> {
    const { collection } = sought
    const { head, body } = buildSingle(this.organisationId, sought)
    const found = await this.read(head, body, { rights: ['read'], collection })
    return this.seen(parseSingle(found), sought)
  }

  /** Returns the schema of a kind as JSON text, `{name, fields}`, or undefined. */
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

  /** Returns a page of a list that the credential may see, with its total or cursor and schema. */
  async #list(collection: string, query: PageQuery, listed: ListSelection): Promise<ListPage> {
    const { view } = this
    const list = await this.withPolicy((view) => this.#listUnder(view, collection, query, listed))
    // The export so far was made under other restrictions, with other columns.
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
    // The schema decides which fields are hidden. The query assumes the schema of the last response
    // or none, so that not even the response time reveals the result of a filter on a hidden field.
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

  /** Returns a single record without hidden values. */
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
