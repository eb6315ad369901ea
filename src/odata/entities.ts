import { valueAt } from '../model/json.ts'
import type { ValueType } from '../model/properties/value-types.ts'
import type { EntityProperty } from './entity-sets.ts'

/**
 * The values of a stored document by property. A value that does not fit its property's type
 * is null: one such value would stop Excel from loading the whole table.
 */
export function toEntity(
  properties: readonly EntityProperty[],
  document: string,
): Record<string, unknown> {
  const record: unknown = JSON.parse(document)
  return Object.fromEntries(
    properties.map(({ name, path, type }) => [name, toValue(type, valueAt(record, path))]),
  )
}

function toValue(type: ValueType, value: unknown): unknown {
  switch (type) {
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' && isTimestamp(`${value}T00:00:00.000Z`) ? value : null
    case 'time':
      return typeof value === 'string' && isTimestamp(value) ? value : null
    case 'list':
    case 'options':
      return toList(value).map(toText)
    default:
      return value === null || value === undefined ? null : toText(value)
  }
}

/** Whether a text is a timestamp from the year 1 to 9999, as Microsoft's programs require. */
function isTimestamp(text: string): boolean {
  if (text.length !== 24 || text.startsWith('0000')) return false
  const time = Date.parse(text)
  // Date.parse accepts 30 February.
  return !Number.isNaN(time) && new Date(time).toISOString() === text
}

const toList = (value: unknown): unknown[] =>
  value === null || value === undefined ? [] : [value].flat()

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
