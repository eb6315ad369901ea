import {
  derivedIds,
  isPostcodeField,
  withoutDerivedFields,
} from '../../model/properties/area-fields.ts'
import type { Field } from '../../model/properties/schema.ts'
import { countBy, newestDocuments } from '../../store/read/figures.ts'
import type { Store } from '../../store/store.ts'

/** The overview's figures about members. */
export type PeopleFigures = {
  /** The field with the date of joining, if the schema has one. */
  joinedField: Field | undefined
  /** The number who joined, by month. */
  joined: ReadonlyMap<string, number>
  /** The field with the local authority, and the members in each, largest first. */
  areaField: string | undefined
  areas: ReadonlyMap<string, number>
  /** The number of newest members in the sample, and of those with a value in each of the least complete fields. */
  sampleSize: number
  completeness: readonly { label: string; filled: number }[]
}

/** The sample for completeness. */
const maxSampleSize = 200
const maxAreas = 10
const maxIncompleteFields = 10

/** Loads the figures about members for these months. */
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
