import { derivedIds, isPostcodeField, ownFields } from '../../geography/enrichment.ts'
import type { Field } from '../../model/schema.ts'
import { newestDocuments, tally } from '../../store/figures.ts'
import type { Store } from '../../store/store.ts'

/** What the overview tells of members. */
export type PeopleFigures = {
  /** The field that says when somebody joined; undefined where the schema has none. */
  joinedField: Field | undefined
  /** How many joined in each of the months. */
  joined: ReadonlyMap<string, number>
  /** The field of the local authority of their postcode, and how many live in each, most first. */
  areaField: string | undefined
  areas: ReadonlyMap<string, number>
  /** How many of the newest members were looked at, and how many of them have a value in each of the fields that lack most. */
  looked: number
  complete: readonly { label: string; filled: number }[]
}

/** How many of the newest members are looked at for what they lack. */
const mostLooked = 200
const mostAreas = 10
const mostLacking = 10

/** The figures of members: of the months given, by the schema's own fields. */
export async function peopleFigures(
  store: Store,
  fields: readonly Field[],
  months: readonly string[],
): Promise<PeopleFigures> {
  const joinedField = fields.find(
    ({ id, label, type }) =>
      type === 'date' && /join|member since|regist|sign.?up/i.test(id + label),
  )
  const postcode = fields.find(isPostcodeField)
  const areaField = postcode && derivedIds(postcode.id).find((id) => id.endsWith('.lad'))
  const collection = 'members'
  const [from = ''] = months
  const [joined, areas, documents] = await Promise.all([
    joinedField ? tally(store, { collection, field: joinedField.id, from, characters: 7 }) : none,
    areaField ? tally(store, { collection, field: areaField, most: mostAreas }) : none,
    newestDocuments(store, collection, mostLooked),
  ])
  const given = ownFields(fields).filter(({ type }) => type !== 'divider')
  const people = documents.map((document): object => JSON.parse(document))
  return {
    ...{ joinedField, areaField, areas, looked: people.length },
    joined: new Map(months.map((month) => [month, joined.get(month) ?? 0])),
    complete: given
      .map(({ id, label }) => ({
        label,
        filled: people.filter((person) => Object.hasOwn(person, id)).length,
      }))
      .toSorted((a, b) => a.filled - b.filled)
      .slice(0, mostLacking),
  }
}

const none: ReadonlyMap<string, number> = new Map()
