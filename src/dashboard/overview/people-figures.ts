import { derivedIds, isPostcodeField, withoutDerivedFields } from '../../geography/enrichment.ts'
import type { Field } from '../../model/schema.ts'
import { countBy, newestDocuments } from '../../store/read/figures.ts'
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
  sampleSize: number
  completeness: readonly { label: string; filled: number }[]
}

/** How many of the newest members are looked at for what they lack. */
const maxSampleSize = 200
const maxAreas = 10
const maxIncompleteFields = 10

/** The figures of members: of the months given, by the schema's own fields. */
export async function loadPeopleFigures(
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
    joinedField
      ? countBy(store, { collection, field: joinedField.id, from, characters: 7 })
      : noCounts,
    areaField ? countBy(store, { collection, field: areaField, most: maxAreas }) : noCounts,
    newestDocuments(store, collection, maxSampleSize),
  ])
  const editableFields = withoutDerivedFields(fields).filter(({ type }) => type !== 'divider')
  const people = documents.map((document): object => JSON.parse(document))
  return {
    ...{ joinedField, areaField, areas, sampleSize: people.length },
    joined: new Map(months.map((month) => [month, joined.get(month) ?? 0])),
    completeness: editableFields
      .map(({ id, label }) => ({
        label,
        filled: people.filter((person) => Object.hasOwn(person, id)).length,
      }))
      .toSorted((a, b) => a.filled - b.filled)
      .slice(0, maxIncompleteFields),
  }
}

const noCounts: ReadonlyMap<string, number> = new Map()
