import { sql } from 'drizzle-orm/sql'
import { spellingsOf } from '../../model/properties/compare-people.ts'
import { findOwnFields } from '../../model/properties/own-details.ts'
import { personName } from '../../model/properties/person-name.ts'
import {
  isOwnRecord,
  type PersonLink,
  personalDataRules,
  referenceLinks,
} from '../../model/properties/personal-data.ts'
import { type Kind, parseStoredSchema, type Values } from '../../model/properties/schema.ts'
import { integer, optional, scalar, text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { QueryGuard } from '../query/record-query.ts'
import { schemaColumn } from '../read/single.ts'
import { samePerson } from '../same-person.ts'
import type { Store } from '../store.ts'
import { fromSignUpsForOthers } from './erase-contact.ts'
import {
  type DetailProperty,
  detailProperties,
  hasNoOwner,
  recordName,
  type Spellings,
} from './person-details.ts'

/** A record that has an id, e-mail address or telephone number of a person without referring to them. */
export type MatchedRecord = {
  collection: string
  id: string
  /** Whether it is the person's own; otherwise the name in it is another. */
  isOwn: boolean
}

/** What finds the records of a person. */
export type PersonLinks = {
  /** Those of parts come first: once a record is changed, its parts can no longer be found. */
  links: readonly PersonLink[]
  /** The names of the person, and of those merged into them. */
  names: readonly string[]
  matched: readonly MatchedRecord[]
  spellings: Spellings
}

/** The maximum number of records with a value to compare with the person. The steps of an erasure change all. */
const maxMatched = 500

/**
 * Finds by the index what refers to a person or has their id, e-mail address or telephone number. The cost
 * depends on the matching records and not on the organisation. `isVisible` leaves out hidden properties.
 */
export async function findPersonLinks(
  store: Store,
  { kind, id }: { kind: Kind; id: string },
  guard: QueryGuard,
  isVisible: (collection: string, path: string) => boolean = () => true,
): Promise<PersonLinks> {
  const { names, spellings } = await readDetails(store, { kind, id }, guard)
  const properties = detailProperties.filter(
    ({ from, path, detail }) => spellings[detail].length > 0 && isVisible(from, path),
  )
  const found = await readMatched(store, guard, properties, spellings)
  const bookedForOthers = await readBookedForOthers(store, guard, { kind, id }, spellings)
  const links = new Map<string, PersonLink>()
  const matched = new Map<string, MatchedRecord>()
  for (const { property, value, id, name } of found) {
    const { from, path, detail } = property
    const link: PersonLink = { from, path, value, by: detail }
    const isOwn = isOwnRecord(link, name, names)
    // Ids of different sources may be equal.
    if (!isOwn && detail === 'id') continue
    links.set(JSON.stringify(link), link)
    const key = JSON.stringify([from, id])
    const before = matched.get(key)
    matched.set(key, { collection: from, id, isOwn: isOwn || before?.isOwn === true })
  }
  for (const id of bookedForOthers) {
    const key = JSON.stringify(['bookings', id])
    if (!matched.has(key)) matched.set(key, { collection: 'bookings', id, isOwn: false })
  }
  return {
    links: [
      ...findParts([...matched.values()], isVisible),
      ...referenceLinks(kind, id),
      ...links.values(),
    ],
    names,
    matched: [...matched.values()],
    spellings,
  }
}

/** The number of records with a detail of the person, by collection. */
export const countMatched = (
  matched: readonly Pick<MatchedRecord, 'collection'>[],
): [string, number][] =>
  [...Map.groupBy(matched, ({ collection }) => collection)].map(([name, records]) => [
    name,
    records.length,
  ])

/** The links of records that are part of the person's own ones, such as the disbursements of a grant. */
const findParts = (
  matched: readonly MatchedRecord[],
  isVisible: (collection: string, path: string) => boolean,
): PersonLink[] =>
  Object.entries(personalDataRules).flatMap(([from, { part }]) =>
    part && isVisible(from, part.path)
      ? matched
          .filter(({ collection, isOwn }) => collection === part.of && isOwn)
          .map(({ id }) => ({ from, path: part.path, value: id, by: 'part' as const }))
      : [],
  )

/** Reads the names and details of a person and of those merged into them, from their last documents. */
async function readDetails(
  store: Store,
  { kind, id }: { kind: Kind; id: string },
  guard: QueryGuard,
): Promise<Pick<PersonLinks, 'names' | 'spellings'>> {
  const { organisationId } = store
  // The details of somebody who was merged belong to the person who stayed.
  const document = sql`coalesce(
    (SELECT document FROM records WHERE ${ofCollection(store, kind)} AND records.id = person.id),
    (SELECT iif(person.id = ${id} AND merged_into IS NOT NULL, NULL, replaced) FROM history
      WHERE ${ofCollection(store, kind, 'history')} AND history.id = person.id
      ORDER BY history.version DESC LIMIT 1)
  )`
  const { head, rows } = await store.select({
    head: { schema: optional(text(schemaColumn(organisationId, kind))) },
    rows: {
      columns: { document: optional(text(document)) },
      from: sql`FROM (${samePerson(organisationId, kind, id)} SELECT id FROM person) AS person`,
    },
    ...guard,
  })
  const { fields } = parseStoredSchema(head.schema)
  const hidden = guard.policy.hiddenFields(fields)
  const own = findOwnFields(fields.filter((field) => !hidden.has(field.id)))
  const people = rows.flatMap((person): Values[] =>
    person.document ? [JSON.parse(person.document)] : [],
  )
  const spell = (detail: 'email' | 'phone', fields: readonly { id: string }[]) => [
    ...new Set(
      people
        .flatMap((values) => fields.map(({ id }) => values[id]))
        .filter((value) => typeof value === 'string')
        .flatMap((text) => spellingsOf(detail, text)),
    ),
  ]
  return {
    names: people.map((values) => personName(own.names, values)).filter((name) => name !== ''),
    spellings: {
      id: [id],
      email: spell('email', own.emails),
      phone: spell('phone', own.phones),
    },
  }
}

type FoundRecord = { property: DetailProperty; value: string; id: string; name: unknown }

/** Reads the ids and names of the records with one of the values. */
async function readMatched(
  store: Store,
  guard: QueryGuard,
  properties: readonly DetailProperty[],
  spellings: Spellings,
): Promise<FoundRecord[]> {
  const { rows } = await store.select({
    rows: {
      columns: {
        property: integer(sql`property.key`),
        value: text(sql`item.value`),
        id: text(sql`records.id`),
        name: scalar(recordName),
      },
      from: sql`FROM json_each(${JSON.stringify(properties)}) AS property
        CROSS JOIN json_each(
          ${JSON.stringify(spellings)}, '$.' || (property.value ->> '$.detail')
        ) AS item
        CROSS JOIN terms ON ${ofOrganisation(store, 'terms')}
          AND terms.collection = property.value ->> '$.from'
          AND terms.field = property.value ->> '$.path' AND terms.value = item.value
        CROSS JOIN records ON records.organisation_id = terms.organisation_id
          AND records.collection = terms.collection AND records.ordinal IN (
            SELECT ordinal FROM term_ordinals
            WHERE term_id = terms.id LIMIT ${sql.raw(String(maxMatched))}
          )
        WHERE ${hasNoOwner()}`,
    },
    ...guard,
  })
  return rows.flatMap((row) => {
    const property = properties[row.property]
    return property ? [{ ...row, property }] : []
  })
}

/** Reads the ids of the bookings that a person made for somebody else, as the contact of the sign-up. */
async function readBookedForOthers(
  store: Store,
  guard: QueryGuard,
  person: { kind: Kind; id: string },
  spellings: Spellings,
): Promise<string[]> {
  if (spellings.email.length === 0) return []
  const { rows } = await store.select({
    rows: {
      columns: { id: text(sql`booking_id`) },
      from: sql`${fromSignUpsForOthers(store.organisationId, { ...person, emails: spellings.email })}
        LIMIT ${sql.raw(String(maxMatched))}`,
    },
    ...guard,
  })
  return rows.map(({ id }) => id)
}
