import type { Context } from 'hono'
import type { JSX } from 'hono/jsx'
import { formatNumber } from '../../../platform/format-number.ts'
import { Picker } from '../../collection/picker.tsx'
import type { DashboardEnv } from '../../session/signed-in.ts'
import type { FilterField, ValueChoice } from './filter-fields.ts'
import { describeFilter } from './list-filters.ts'
import { describePeriod, periodNames } from './periods.ts'

type FieldProps = { c: Context<DashboardEnv>; field: FilterField }

const maxShown = 8

/** Renders a field of the filter panel with its controls. */
export function FilterFold({ c, field }: FieldProps) {
  const { property, filter } = field
  const words = describeFilter(filter)
  const summary = words.startsWith(property.label)
    ? words.slice(property.label.length).replace(/^:? /, '')
    : words
  return (
    <details class="fold" open>
      <summary>
        {property.label} <small>{summary}</small>
      </summary>
      <div>
        <Controls c={c} field={field} />
      </div>
    </details>
  )
}

function Controls({ c, field }: FieldProps) {
  const { property, filter } = field
  const { name, label, type } = property
  switch (field.control) {
    case 'ages':
      return (
        <Pair
          labels={['Age from', 'Age to']}
          names={[`${name}~minage`, `${name}~maxage`]}
          values={[filter.minAge, filter.maxAge]}
          attributes={{ inputmode: 'numeric', maxlength: 3 }}
        />
      )
    case 'period':
      return (
        <>
          <Periods name={name} label={label} period={filter.period ?? ''} />
          <Range name={name} label={label} type="date" from={filter.from} to={filter.to} />
        </>
      )
    case 'range':
      return <Range name={name} label={label} type="number" from={filter.from} to={filter.to} />
    case 'choices':
      return (
        <>
          <Choices name={name} choices={field.choices} chosen={filter.values} />
          {type !== 'boolean' && (field.isCut || type === 'list') && (
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
    case 'link':
      return (
        <Picker
          c={c}
          name={name}
          label={label}
          collection={field.to}
          hasSeveral
          chosen={field.chosen}
          search={field.search}
        />
      )
    default:
      return (
        <>
          <label>
            Contains
            <input
              name={`${name}~contains`}
              aria-label={`${label} contains`}
              value={filter.contains}
              maxlength={256}
              autocomplete="off"
            />
          </label>
          <Choices
            name={name}
            choices={[...new Set([...filter.values, ''])].map((value) => ({
              ...{ value, label: value === '' ? 'No value' : value },
            }))}
            chosen={filter.values}
          />
        </>
      )
  }
}

function Periods({ name, label, period }: { name: string; label: string; period: string }) {
  return (
    <div class="presets" role="radiogroup" aria-label={label}>
      <label>
        <input type="radio" name={`${name}~period`} value="" checked={period === ''} />
        Any time
      </label>
      {periodNames.map((value) => (
        <label>
          <input type="radio" name={`${name}~period`} value={value} checked={value === period} />
          {capitalise(describePeriod(value))}
        </label>
      ))}
    </div>
  )
}

type RangeProps = {
  name: string
  label: string
  type: 'date' | 'number'
  from: string | undefined
  to: string | undefined
}

const Range = ({ name, label, type, from, to }: RangeProps) => (
  <Pair
    labels={['From', 'To']}
    description={label}
    names={[`${name}~from`, `${name}~to`]}
    values={[from, to]}
    attributes={type === 'date' ? { type } : { inputmode: 'decimal' }}
  />
)

type PairProps = {
  labels: readonly [string, string]
  /** The words before the labels that screen readers hear. */
  description?: string
  names: readonly [string, string]
  values: readonly [string | undefined, string | undefined]
  attributes: JSX.IntrinsicElements['input']
}

/** Renders the inputs of the two ends of a range. */
const Pair = ({ labels, description, names, values, attributes }: PairProps) => (
  <div class="pair">
    {labels.map((label, index) => (
      <label>
        {label}
        <input
          {...attributes}
          name={names[index]}
          value={values[index]}
          aria-label={description && `${description} ${label.toLowerCase()}`}
        />
      </label>
    ))}
  </div>
)

type ChoicesProps = {
  name: string
  choices: readonly ValueChoice[]
  chosen: readonly string[]
}

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

const capitalise = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
