import type { Checked } from '../model/checked.ts'
import type { Written } from '../store/put.ts'

const mostBytes = 100_000
const mostValues = 2_000
const mostDepth = 64

/** How many values the index may lose and gain in one transaction, while all other requests wait. */
export const maxValuesWritten = 50_000

/** A record as it is kept; or why it is too large to be (decisions 6): as JSON, in values that filters find it by, or in depth. */
export function asWritten(id: string, record: Record<string, unknown>): Checked<Written> {
  const deep = Object.entries(record).filter(([, value]) => isDeeper(value, mostDepth - 1))
  if (deep.length > 0) {
    const reason = `must not be nested more than ${mostDepth} deep.`
    return { faults: deep.map(([field]) => ({ field, reason })) }
  }
  const document = JSON.stringify(record)
  const reasons = [
    bytesOf(document) > mostBytes && `must have at most ${mostBytes} bytes as JSON.`,
    indexedValues(record) > mostValues && `must have at most ${mostValues} values.`,
  ].filter((reason) => reason !== false)
  return reasons.length > 0
    ? { faults: reasons.map((reason) => ({ field: '', reason: `The record ${reason}` })) }
    : { kept: { id, document } }
}

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1)))

const bytesOf = (text: string) =>
  text.length > mostBytes ? text.length : new TextEncoder().encode(text).length

/** How many values of a record a filter can reach: scalars, and the scalar elements of lists, but nothing in the objects of a list. */
export const indexedValues = (value: object): number =>
  Object.values(value).reduce((sum: number, inner: unknown) => {
    if (typeof inner !== 'object') return sum + 1
    if (inner === null || Array.isArray(value)) return sum
    return sum + indexedValues(inner)
  }, 0)
