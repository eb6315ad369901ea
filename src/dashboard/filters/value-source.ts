import type { Context } from 'hono'
import { isErrorOf } from '../../model/api-error.ts'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import { namedReferences, references } from '../../model/references.ts'
import { loadCollection } from '../../resources/resources.ts'
import { countValues } from '../../resources/summary/count-values.ts'
import { type Choice, findChoices, loadChoices } from '../collection/choices.ts'
import type { PickerSearch } from '../collection/picker.tsx'
import type { DashboardEnv } from '../session/signed-in.ts'
import { valueKinds } from '../ui/value-kinds.ts'
import { describeValue, type FilterProperty, type ListFilter } from './filter.ts'

/** A value to choose in a filter, and the number of records that have it and pass the other filters. */
export type ValueChoice = { value: string; label: string; count?: number | undefined }

/** The values that the panel offers: records of a collection, or choices, and whether people can type others. */
export type ValueSource =
  | { to: string; chosen: readonly Choice[]; search: PickerSearch | undefined }
  | { choices: readonly ValueChoice[]; hasOthers: boolean }

const maxChoices = 50

/** The collection that a property refers to, also one of a referenced record, such as `application.fundId`. */
export function findReferenced(
  collection: string,
  { name }: Pick<FilterProperty, 'name'>,
): string | undefined {
  const own = references.find(({ from, path }) => from === collection && path === name)
  if (own) return own.to
  const through = namedReferences(collection).find((reference) =>
    name.startsWith(`${reference.name}.`),
  )
  return through && findReferenced(through.to, { name: name.slice(through.name.length + 1) })
}

/** Loads the records that a filter names, and those of a search for others. */
export async function loadLinks(
  c: Context<DashboardEnv>,
  to: string,
  { property, values }: ListFilter,
): Promise<ValueSource> {
  const text = c.req.query(`$search.${property.name}`)?.trim()
  const [chosen, choices] = await Promise.all([
    loadChoices(
      c,
      to,
      values.filter((id) => id !== ''),
    ),
    text ? findChoices(c, to, text) : undefined,
  ])
  return { to, chosen, search: text && choices ? { text, choices } : undefined }
}

/** The values of a text that a filter names, and no value. */
export const namedValues = ({ values }: ListFilter): ValueSource => ({
  choices: [...new Set([...values, ''])].map((value) => ({ value, label: value || 'No value' })),
  hasOthers: false,
})

/** Counts the values of a property among the records that pass the other filters. Too many records have choices without counts. */
export async function countChoices(
  c: Context<DashboardEnv>,
  collection: string,
  { property, values }: ListFilter,
  others: FilterExpression | undefined,
): Promise<ValueSource> {
  const { list } = await loadCollection(collection)
  const counts = await countValues(c.var.store, list, {
    by: property.name,
    limit: maxChoices,
    filter: others,
  }).catch((error: unknown) => {
    if (isErrorOf(error, 'BAD_REQUEST')) return undefined
    throw error
  })
  const countOf = new Map<string, number>()
  for (const { value, count } of counts?.groups ?? []) countOf.set(String(value), count)
  if (counts && counts.missing > 0) countOf.set('', counts.missing + (countOf.get('') ?? 0))
  const { type, options = [] } = property
  const known = [
    ...countOf.keys(),
    ...options.map(({ value }) => value),
    ...(valueKinds[type].values ?? []),
    ...values,
  ]
  const choices = [...new Set(known)].map((value) => ({
    value,
    label: value === '' ? 'No value' : describeValue(value, property),
    count: counts && (countOf.get(value) ?? 0),
  }))
  const { values: all, isOpen = false } = valueKinds[type]
  const isCut = counts?.isCut ?? true
  return { choices, hasOthers: !all && (isCut || isOpen) }
}
