import type { Validated } from '../model/validation-error.ts'
import type { NewDocument } from '../store/write/put.ts'

const mostBytes = 100_000
const mostValues = 2_000
const mostDepth = 64

/** How many values the index may lose and gain in one transaction, while all other requests wait. */
export const maxValuesWritten = 50_000

/** A record as it is kept; or why it is too large to be (decisions 6): as JSON, in values that filters find it by, or in depth. */
export function checkSize(id: string, record: Record<string, unknown>): Validated<NewDocument> {
  const deep = Object.entries(record).filter(([, value]) => isDeeper(value, mostDepth - 1))
  if (deep.length > 0) {
    const message = `must not be nested more than ${mostDepth} deep.`
    return { errors: deep.map(([field]) => ({ field, message })) }
  }
  const document = JSON.stringify(record)
  const reasons = [
    bytesOf(document) > mostBytes && `must have at most ${mostBytes} bytes as JSON.`,
    indexedValues(record) > mostValues && `must have at most ${mostValues} values.`,
  ].filter((message) => message !== false)
  return reasons.length > 0
    ? { errors: reasons.map((message) => ({ field: '', message: `The record ${message}` })) }
    : { value: { id, document } }
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
