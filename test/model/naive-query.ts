import type { Comparison, Predicate, Scalar } from '../../src/model/query/predicate.ts'
import type { Order } from '../../src/model/query/query-options.ts'
import type { RecordQuery } from '../../src/store/query/record-query.ts'

/** A record of the model. */
export type QueriedRecord = {
  id: string
  ordinal: number
  created: string
  changed: string
  document: Record<string, unknown>
}

/** Returns the records that pass a query, in its order. */
export function evaluate(
  {
    predicate,
    order,
    created,
    changed,
  }: Pick<RecordQuery, 'predicate' | 'order' | 'created' | 'changed'>,
  { all }: { all: ReadonlyMap<string, QueriedRecord> },
) {
  const isIn = (
    time: string,
    { from, to }: { from?: string | undefined; to?: string | undefined } = {},
  ) => (from === undefined || time >= from) && (to === undefined || time < to)
  const passing = [...all.values()].filter(
    (record: QueriedRecord) =>
      (!predicate || satisfies(predicate, record.document)) &&
      isIn(record.created, created) &&
      isIn(record.changed, changed),
  )
  return sortRecords(passing, order)
}

/** Whether a document satisfies a predicate, judged without the service's own code. */
export function satisfies(predicate: Predicate, document: unknown): boolean {
  if ('and' in predicate) return predicate.and.every((part) => satisfies(part, document))
  if ('or' in predicate) return predicate.or.some((part) => satisfies(part, document))
  if ('not' in predicate) return !satisfies(predicate.not, document)
  const values = elements(at(document, predicate.field.path))
  if ('values' in predicate) return values.some((value) => predicate.values.has(value))
  const { operator, value } = predicate
  if (value === null) {
    if (operator === 'eq') return values.length === 0
    return operator === 'ne' && values.length > 0
  }
  if (operator === 'ne') return !values.some((it) => holds(it, { ...predicate, operator: 'eq' }))
  return values.some((it) => holds(it, predicate))
}

function holds(held: Scalar, { operator, value, fieldFunction }: Comparison): boolean {
  if (typeof held !== typeof value) return false
  if (typeof held === 'boolean') return operator === 'eq' && held === value
  if (typeof held === 'number') return isBetween(held - Number(value), operator)
  const fold = (text: string) =>
    fieldFunction ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text
  const [a, b] = [fold(held), fold(String(value))]
  if (operator === 'contains') return a.includes(b)
  if (operator === 'startswith') return a.startsWith(b)
  if (operator === 'endswith') return a.endsWith(b)
  return isBetween(compareBytes(bytesOf(a), bytesOf(b)), operator)
}

const isBetween = (difference: number, operator: Comparison['operator']) =>
  (difference === 0 && ['eq', 'ge', 'le'].includes(operator)) ||
  (difference > 0 && ['gt', 'ge'].includes(operator)) ||
  (difference < 0 && ['lt', 'le'].includes(operator))

/** Sorts records: numbers, texts, of long ones the beginning, booleans, missing values last; ties in order of arrival. */
const sortRecords = (records: readonly QueriedRecord[], order: readonly Order[]) =>
  records.toSorted((one, other) => {
    for (const { field, isDescending } of order) {
      const [a, b] = [one, other].map(({ document }) => keyOf(at(document, field.path)))
      if (!a || !b) {
        if (a || b) return a ? -1 : 1
        continue
      }
      const difference =
        a.rank - b.rank || a.number - b.number || compareBytes(a.bytes, b.bytes) || a.cut - b.cut
      if (difference !== 0) return isDescending ? -difference : difference
    }
    return one.ordinal - other.ordinal
  })

type Key = { rank: number; number: number; bytes: Uint8Array; cut: number }

function keyOf(value: unknown): Key | undefined {
  const key = { rank: 0, number: 0, bytes: new Uint8Array(), cut: 0 }
  if (typeof value === 'number') return { ...key, number: value }
  if (typeof value === 'boolean') return { ...key, rank: 2, number: Number(value) }
  if (typeof value !== 'string') return undefined
  const bytes = bytesOf(value)
  return { ...key, rank: 1, bytes: bytes.subarray(0, 256), cut: Number(bytes.length > 256) }
}

const at = (document: unknown, path: readonly string[]): unknown =>
  path.reduce(
    (value, name) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).find(([key]) => key === name)?.[1]
        : undefined,
    document,
  )

const elements = (value: unknown): Scalar[] =>
  (Array.isArray(value) ? value : [value]).filter((it) =>
    ['string', 'number', 'boolean'].includes(typeof it),
  )

const bytesOf = (text: string) => new TextEncoder().encode(text)

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  for (const [index, byte] of one.entries()) {
    const difference = byte - (other[index] ?? -1)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}
