import type { FilterExpression } from '../../model/query/filter-expression.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { Picker } from '../collection/picker.tsx'
import { formatValue } from '../ui/format-value.ts'
import { compare, valueKinds } from '../ui/value-kinds.ts'
import { describeType, describeValue, type FilterProperty, type ListFilter } from './filter.ts'
import type { FilterKind } from './filter-kind.ts'
import type { ValueChoice } from './value-source.ts'

const maxValues = 50

/** Any of some values: counted choices, linked records, or the values of a text that an address names. */
export const values: FilterKind = {
  parameters: ['is'],
  read(text, { property, values }) {
    const value = text === '' ? '' : parseValue(text, property)
    if (value === undefined) return `“${text}” is not ${describeType(property)}.`
    if (values.length >= maxValues) return `Choose at most ${maxValues} values.`
    return { values: [...new Set([...values, value])] }
  },
  words({ property, values, titles }) {
    const [value = '', ...others] = values
    return `: ${others.length > 0 ? values.length : (titles?.get(value) ?? describeValue(value, property))}`
  },
  condition: ({ property, values }) => anyOf(property, values),
  Control({ c, filter: { property, values }, source }) {
    const { name, label } = property
    if ('to' in source) {
      const { to, chosen, search } = source
      return (
        <Picker
          c={c}
          hasSeveral
          name={name}
          label={label}
          chosen={chosen}
          search={search}
          collection={to}
        />
      )
    }
    return (
      <>
        <Choices name={name} choices={source.choices} chosen={values} />
        {source.hasOthers && (
          <input
            name={`${name}~is`}
            aria-label={`Another value of ${label}`}
            placeholder="Another value"
            maxlength={256}
            autocomplete="off"
          />
        )}
      </>
    )
  },
}

/** The stored form of a value as text, from its stored or its displayed form; undefined if it is no value of the type. */
function parseValue(text: string, property: FilterProperty): string | undefined {
  const { type, options, format } = property
  const { parse } = valueKinds[type]
  if (parse) return parse(text)
  const isDisplayed = (value: string) =>
    formatValue(value, property).toLowerCase() === text.trim().toLowerCase()
  const option = options?.find(({ value }) => value === text || isDisplayed(value))
  if (option) return option.value
  return format === 'code' ? text.trim() : text
}

/** The condition that a property has one of some values. */
function anyOf({ name, type, format }: FilterProperty, values: ListFilter['values']) {
  const { literal, isValue, isEmptyText, isOpen } = valueKinds[type]
  const present = values.filter((value) => value !== '')
  const parts: FilterExpression[] = []
  if (isValue) parts.push(...present.map((value) => isValue(name, value)))
  else if (present.length > 0) {
    const spellings = format === 'code' ? present.flatMap(codeSpellings) : present
    // Tags and codes have few values, so comparing all of them without case is cheap.
    const ignoresCase = isOpen || format === 'code'
    parts.push({
      name,
      literals: spellings.map(literal),
      ...(ignoresCase && { fieldFunction: 'tolower' }),
    })
  }
  if (present.length < values.length) {
    parts.push(compare(name, 'eq', { type: 'null', value: null }))
    // In structured records, a missing text is empty.
    if (isEmptyText) parts.push(compare(name, 'eq', { type: 'text', value: '' }))
  }
  return parts.length === 1 && parts[0] ? parts[0] : { or: parts }
}

/** The ways in which systems spell the words of a displayed code, in any case: "Not attending" is also `not-attending`. */
function codeSpellings(text: string): string[] {
  const words = text.trim().split(/[\s_-]+/)
  return [...new Set([text, ...['-', '_', ' ', ''].map((separator) => words.join(separator))])]
}

type ChoicesProps = {
  name: string
  choices: readonly ValueChoice[]
  chosen: readonly string[]
}

const maxShown = 8

/** Renders checkboxes, the chosen ones first; beyond eight, the rest is folded away. */
function Choices({ name, choices, chosen }: ChoicesProps) {
  const sorted = choices.toSorted(
    (one, other) => Number(chosen.includes(other.value)) - Number(chosen.includes(one.value)),
  )
  const rows = sorted.map(({ value, label, count }) => (
    <label class="choice">
      <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />
      <span>{label}</span>
      {count !== undefined && <span class="number">{formatNumber(count)}</span>}
    </label>
  ))
  return (
    <>
      {rows.slice(0, maxShown)}
      {rows.length > maxShown && (
        <details>
          <summary class="link">Show {rows.length - maxShown} more</summary>
          {rows.slice(maxShown)}
        </details>
      )}
    </>
  )
}
