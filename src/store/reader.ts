import { sql } from 'drizzle-orm'
import type { View } from '../limits/view.ts'
import type { Collection } from '../model/collection.ts'
import { isKind, type Kind, kindNames } from '../model/schema.ts'
import { type ChangesQuery, changesIn, type Place, pageOfChanges } from './changes.ts'
import { Connection, limitsChanged } from './connection.ts'
import { demandSight } from './credential.ts'
import type { Body, Row } from './head-and-rows.ts'
import { type List, type Listed, list, refuseCostly, timesOf, without, withTimes } from './list.ts'
import type { PageQuery } from './page-query.ts'
import { type RecordOf, seenBy, seenChange, seenMember } from './seen.ts'
import { type Single, type Sought, schemaOf, single, singleOf, textOrUndefined } from './single.ts'

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
    this.given('changes', changes.length)
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
    return this.seen(singleOf(found), sought)
  }

  /** The schema of a kind as JSON text, `{name, fields}`; undefined when there is none. */
  async schema(kind: Kind): Promise<string | undefined> {
    const { head } = await this.read({ schema: schemaOf(this.organisationId, kind) }, undefined, {
      rights: ['read'],
      collection: kind,
    })
    return this.view.schema(kind, textOrUndefined(head.schema))
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
    // Which of people's fields are kept from the credential, their schema says: that of the answer before,
    // or else none, so that not even how long it takes tells what a filter on one of them would find.
    const place = `${collection} ${organisationId}`
    const assumed = lastSchemas.get(place)
    const filters = isKind(collection)
      ? view.filtersOfPeople(collection, query.filters, assumed)
      : view.filtersOf(collection, query.filters, listed.record)
    const { head, body, read } = list({ organisationId, collection }, { ...query, filters }, listed)
    const found = await this.read(head, body, { rights: ['read'], collection })
    const { schema, ...told } = read(found)
    if (isKind(collection) && filters !== query.filters && schema !== assumed) {
      if (lastSchemas.size >= mostSchemas) lastSchemas.clear()
      lastSchemas.set(place, schema)
      return this.#listUnder(view, collection, query, listed)
    }
    if (this.view === view) refuseCostly(found.head)
    return { ...told, schema: listed.schema && this.view.schema(listed.schema, schema) }
  }

  /** A single record as the credential sees it. */
  protected seen(found: Single, { collection, record, schema: kind }: Sought): Single {
    const { view } = this
    const { kept, schema, member } = found
    const isThere = kept && view.shows(collection, kept.document)
    const seen = record && seenBy(view, collection, record)
    if (isThere) this.given(collection, 1)
    return {
      ...found,
      kept: isThere ? { ...kept, document: seen?.(kept.document) ?? kept.document } : undefined,
      schema: kind && view.schema(kind, schema),
      member: record && seenMember(view, record, member),
    }
  }
}
