import type { Context } from 'hono'
import { ApiError } from '../../../model/api-error.ts'
import { references } from '../../../model/references.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { countGroups } from '../../../resources/count-groups.ts'
import { type Choice, findChoices, loadChoices } from '../../collection/choices.ts'
import type { CollectionInfo, ShownProperty } from '../../collection/collection-info.ts'
import type { PickerSearch } from '../../collection/picker.tsx'
import { isBirthDate } from '../../collection/property-formats.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { toFilterExpression } from './filter-expression.ts'
import { describeValue, type FilterProperty, type ListFilter } from './list-filters.ts'
import type { ListView } from './view.ts'

/** A value to choose in a filter, and the number of records that have it and pass the other filters. */
export type ValueChoice = { value: string; label: string; count?: number | undefined }

/** A field of the filter panel: its current filter, and what its controls need. */
export type FilterField = { property: FilterProperty; filter: ListFilter } & (
  | { control: 'period' | 'ages' | 'range' | 'text' }
  | { control: 'choices'; choices: readonly ValueChoice[]; isCut: boolean }
  | { control: 'link'; to: string; chosen: readonly Choice[]; search?: PickerSearch | undefined }
)

const maxChoices = 50

/** The fields that the panel begins with, by collection. */
const mainFields: Readonly<Record<string, readonly string[]>> = {
  events: ['start', 'tags'],
  bookings: ['date', 'event.tags', 'userStatus'],
  forms: ['type'],
  'survey-responses': ['date', 'surveyId', 'tags'],
  'case-notes': ['date', 'tags'],
  funds: ['isOpenCall'],
  'grant-applications': ['dates.submitted', 'status', 'fundId'],
  disbursements: ['dates.scheduled', 'status'],
}

/** Returns the names of the fields that the panel of a list begins with. */
function listMainFields({ name, kind, properties }: CollectionInfo): readonly string[] {
  if (!kind) return mainFields[name] ?? []
  const isMain = [
    ({ type, label }: ShownProperty) => type === 'date' && !/birth/i.test(label),
    ({ name }: ShownProperty) => name.endsWith('.ward'),
    ({ type }: ShownProperty) => type === 'list',
  ]
  return isMain.flatMap((matches) => properties.find(matches)?.name ?? [])
}

/** Loads the fields that the filter panel shows: the main ones, the filtered ones, and the opened one. */
export function loadFilterFields(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  view: ListView,
  properties: readonly FilterProperty[],
): Promise<FilterField[]> {
  const names = new Set([
    ...listMainFields(collection),
    ...view.filters.map(({ property }) => property.name),
    view.openField,
  ])
  return Promise.all(
    properties
      .filter(({ name }) => names.has(name))
      .map((property) => loadField(c, collection, view, property)),
  )
}

async function loadField(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  view: ListView,
  property: FilterProperty,
): Promise<FilterField> {
  const filter = view.filters.find((candidate) => candidate.property.name === property.name)
  const field = { property, filter: filter ?? { property, values: [] } }
  const to = references.find(
    ({ from, path }) => from === collection.name && path === property.name,
  )?.to
  if (to) {
    const ids = field.filter.values.filter((id) => id !== '')
    const text = c.req.query(`$search.${property.name}`)?.trim()
    const [chosen, found] = await Promise.all([
      loadChoices(c, to, ids),
      text ? findChoices(c, to, text) : undefined,
    ])
    return {
      ...field,
      control: 'link',
      to,
      chosen,
      ...(text && found && { search: { text, choices: found } }),
    }
  }
  if (isBirthDate(property)) return { ...field, control: 'ages' }
  if (property.type === 'date' || property.type === 'time') return { ...field, control: 'period' }
  if (property.type === 'number') return { ...field, control: 'range' }
  return hasFewValues(property)
    ? { ...field, control: 'choices', ...(await countChoices(c, collection, view, field.filter)) }
    : { ...field, control: 'text' }
}

/** Returns whether people choose among the values of a property, because it has few. */
const hasFewValues = ({ type, format, isDerived }: FilterProperty) =>
  ['boolean', 'option', 'options', 'list'].includes(type) || format === 'code' || isDerived === true

/** Counts a property's values among the records that pass the other filters. Too many records have choices without counts. */
async function countChoices(
  c: Context<DashboardEnv>,
  { name }: CollectionInfo,
  { filters }: ListView,
  { property, values }: ListFilter,
): Promise<{ choices: ValueChoice[]; isCut: boolean }> {
  const others = filters.filter((filter) => filter.property.name !== property.name)
  const counts = await countGroups(c.var.store, name, {
    ...{ by: property.name, filters: [], limit: maxChoices },
    filter: toFilterExpression(others, londonDay(Date.now())),
  }).catch((error: unknown) => {
    if (error instanceof ApiError && error.type === 'BAD_REQUEST') return undefined
    throw error
  })
  const countOf = new Map<string, number>()
  for (const { value, count } of counts?.groups ?? []) countOf.set(String(value), count)
  if (counts && counts.missing > 0) countOf.set('', counts.missing + (countOf.get('') ?? 0))
  const known = [
    ...countOf.keys(),
    ...(property.options ?? []).map(({ value }) => value),
    ...(property.type === 'boolean' ? ['true', 'false'] : []),
    ...values,
  ]
  const choices = [...new Set(known)].map((value) => ({
    ...{ value, label: value === '' ? 'No value' : describeValue(value, property) },
    count: counts && (countOf.get(value) ?? 0),
  }))
  return { choices, isCut: counts?.isCut ?? true }
}
