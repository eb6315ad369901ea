import { maxFormFields } from '../../http/field-groups.ts'
import { findingsOf } from '../../import/tabular/links.ts'
import type { Place } from '../../import/tabular/places.ts'
import type { Goal } from '../../import/tabular/remap.ts'
import type { Finding } from '../../import/tabular/usual-headings.ts'
import { type Field, fieldTypes } from '../../model/schema.ts'
import { inWords } from '../words.ts'

/** A choice that a select offers. */
export type Option = { value: string; label: string }

export const nowhere = 'nowhere'
export const newField = 'new'

/** What a form says for a goal: a new field has its label, type and options in fields of their own. */
export function goalValue(goal: Goal): string {
  if (goal === 'nowhere') return nowhere
  if ('field' in goal) return newField
  return `${goal.by ?? ''}:${goal.path}`
}

/** The places where a column can go as a select offers them; a link once for each way to find the record. */
export function optionsOf(places: readonly Place[]): Option[] {
  return places
    .filter(({ isId }) => !isId)
    .flatMap((place): Option[] => {
      const { path, reference } = place
      const label = labelOf(place)
      if (!reference) return [{ value: goalValue({ path }), label }]
      return findingsOf(reference.to).map((by) => ({
        value: goalValue({ path, by }),
        label: `${label}, found by ${foundBy[by]}`,
      }))
    })
}

/** A place as people call it: a field by its label, a property by its path in words. */
export const labelOf = ({ path, names }: Place): string =>
  names[2] ??
  path
    .split('.')
    .map((name, place) => (place === 0 ? inWords(name) : inWords(name).toLowerCase()))
    .join(', ')

const foundBy: Readonly<Record<Finding, string>> = {
  id: 'its id',
  name: 'its name',
  email: 'e-mail address',
}

/** The goal that such a value says; undefined where there is no such place. */
export function goalIn(value: string, places: readonly Place[]): Goal | undefined {
  if (value === nowhere) return 'nowhere'
  const [, by = '', path] = /^(\w*):(.*)$/s.exec(value) ?? []
  const place = places.find((one) => one.path === path && !one.isId)
  if (!place) return undefined
  if (!place.reference) return by === '' ? { path: place.path } : undefined
  const finding = findingsOf(place.reference.to).find((one) => one === by)
  return finding && { path: place.path, by: finding }
}

/** How many columns the page of a file can show: each has a field of the form, and the rest of the page needs a few. */
export const maxColumns = maxFormFields - 50

/** Whether the page has room for a label, a type and options beside each of so many columns. */
export const canDescribeFields = (columns: number) => columns * 4 <= maxColumns

/** The types that a new field may be given, in words. */
export const typesOffered: Readonly<Partial<Record<Field['type'], string>>> = {
  text: 'Text',
  number: 'A number',
  date: 'A date',
  boolean: 'Yes or no',
  select: 'One of a list',
  selectAndOther: 'One of a list, or something else',
  multipleSelect: 'Several of a list',
  tags: 'Tags',
  email: 'An e-mail address',
  phone: 'A phone number',
  postcode: 'A postcode',
  country: 'A country',
  uniqueId: 'An id that nobody shares',
}

/** Whether fields of a type have a list of options. */
export const hasOptions = (type: string) =>
  ['select', 'selectAndOther', 'multipleSelect', 'tags'].includes(type)

/** A new field as a form says it, in place of the one that was proposed. */
export function fieldSaid(
  proposed: Field,
  said: { label: string; type: string; options: string },
): { field: Field } | { fault: string } {
  const label = said.label.trim()
  if (label === '') return { fault: 'must have a label.' }
  const type = fieldTypes.find((one) => one === said.type && typesOffered[one] !== undefined)
  if (!type) return { fault: 'must be of one of the types.' }
  const { options: _, ...field } = { ...proposed, label: label.slice(0, 200), type }
  if (!hasOptions(type)) return { field }
  const values = said.options
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  if (values.length === 0) {
    return type === 'tags' ? { field } : { fault: 'must have options, one on each line.' }
  }
  const options = [...new Set(values)].map(
    (value) =>
      proposed.options?.find((option) => option.value === value) ?? { value, label: value },
  )
  return { field: { ...field, options } }
}
