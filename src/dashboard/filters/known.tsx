import type { FilterExpression } from '../../model/query/filter-expression.ts'
import { compare, valueKinds } from '../ui/value-kinds.ts'
import { type FilterKind, readOne } from './filter-kind.ts'

/** Any value. */
export const known: FilterKind = {
  parameters: ['known'],
  read: readOne(
    (text) => (text === 'true' ? text : undefined),
    () => '“true”',
  ),
  words: () => ' known',
  condition({ property: { name, type } }) {
    const hasValue: FilterExpression = compare(name, 'ne', { type: 'null', value: null })
    // In structured records, a missing text is empty.
    return valueKinds[type].isEmptyText
      ? { and: [hasValue, compare(name, 'ne', { type: 'text', value: '' })] }
      : hasValue
  },
  Control: ({ filter: { property, known: isChosen } }) => (
    <label class="choice">
      <input
        type="checkbox"
        name={`${property.name}~known`}
        value="true"
        checked={isChosen !== undefined}
      />
      <span>Any value</span>
    </label>
  ),
}
