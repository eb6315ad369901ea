import { formatShortDay } from '../../model/dates.ts'
import { isDated } from '../../model/value-types.ts'
import { formatValue } from '../ui/format-value.ts'
import { valueKinds } from '../ui/value-kinds.ts'
import { describeType, type ListFilter } from './filter.ts'
import { type FilterKind, readOne } from './filter-kind.ts'
import { Pair } from './pair.tsx'

/** A first and a last number, or a first and a last day of a date. */
export const range: FilterKind = {
  parameters: ['from', 'to'],
  read: readOne((text, { type }) => valueKinds[type].range?.parse(text), describeType),
  words({ property, from = '', to = '' }: ListFilter) {
    const end = (value: string) =>
      isDated(property) ? formatShortDay(value) : formatValue(Number(value), property)
    if (from && to) return from === to ? ` ${end(from)}` : ` ${end(from)} to ${end(to)}`
    return from ? ` from ${end(from)}` : ` to ${end(to)}`
  },
  range: ({ from, to }) => ({ from, to }),
  Control: ({ filter: { property, from, to } }) => (
    <Pair
      labels={['From', 'To']}
      description={property.label}
      names={[`${property.name}~from`, `${property.name}~to`]}
      values={[from, to]}
      attributes={isDated(property) ? { type: 'date' } : { inputmode: 'decimal' }}
    />
  ),
}
