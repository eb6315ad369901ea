import {
  derivedIds,
  isPostcodeField,
  withoutDerivedFields,
} from '../../model/properties/area-fields.ts'
import type { Field } from '../../model/properties/schema.ts'
import { countBy, newestDocuments } from '../../store/read/figures.ts'
import type { Store } from '../../store/store.ts'

/** Returns the last twelve months including the current one, as `YYYY-MM`, oldest first. */
export function lastTwelveMonths(today: string): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number)
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(year, month - 12 + index, 1)).toISOString().slice(0, 7),
  )
}

// With `Intl`, a new isolate would take 14 ms longer for the overview.
const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ')

/** Formats `2026-03` as “Mar 2026”. */
export function formatMonth(month: string): string {
  const [year = '', number] = month.split('-')
  return `${monthNames[Number(number) - 1]} ${year}`
}

/** Figures about members for the overview. */
type PeopleFigures = {
  /** The field with the date of joining; undefined if the schema has none. */
  joinedField: Field | undefined
  /** The number of new members by month; undefined if there are too many dates to count. */
  joined: ReadonlyMap<string, number> | undefined
  /** The local authority field, and its member counts in descending order; undefined if there are too many to count. */
  areaField: string | undefined
  areas: ReadonlyMap<string, number> | undefined
  /** The number of newest members in the sample, and how many of them have a value in each of the least complete fields. */
  sampleSize: number
  completeness: readonly { label: string; filled: number }[]
}

/** The number of newest members to check for completeness. */
const maxSampleSize = 200
const maxAreas = 10
const maxIncompleteFields = 10

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
    areaField ? countBy(store, { collection, field: areaField, limit: maxAreas }) : noCounts,
    newestDocuments(store, collection, maxSampleSize),
  ])
  const editableFields = withoutDerivedFields(fields).filter(({ type }) => type !== 'divider')
  const people = documents.map((document): object => JSON.parse(document))
  return {
    ...{ joinedField, areaField, areas, sampleSize: people.length },
    joined: joined && new Map(months.map((month) => [month, joined.get(month) ?? 0])),
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
