import type { Validated } from '../model/validation-error.ts'
import type { NewDocument } from '../store/write/put.ts'

const mostBytes = 100_000
const mostValues = 2_000
const mostDepth = 64

/**
 * The maximum number of values that one transaction adds to or removes from the index, because all
 * other requests wait for it.
 */
export const maxValuesWritten = 50_000

/**
 * Returns the document to store, or errors if it is too large (decisions 6): in bytes, in indexed
 * values, or in depth.
 */
export function checkSize(id: string, record: Record<string, unknown>): Validated<NewDocument> {
  const deep = Object.entries(record).filter(([, value]) => isDeeper(value, mostDepth - 1))
  if (deep.length > 0) {
    const message = `must not be nested more than ${mostDepth} deep.`
    return { errors: deep.map(([field]) => ({ field, message, code: 'too_large' })) }
  }
  const document = JSON.stringify(record)
  const reasons = [
    bytesOf(document) > mostBytes && `must have at most ${mostBytes} bytes as JSON.`,
    indexedValues(record) > mostValues && `must have at most ${mostValues} values.`,
  ].filter((message) => message !== false)
  return reasons.length > 0
    ? {
        errors: reasons.map((message) => ({
          field: '',
          message: `The record ${message}`,
          code: 'too_large',
        })),
      }
    : { value: { id, document } }
}

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1)))

const bytesOf = (text: string) =>
  text.length > mostBytes ? text.length : new TextEncoder().encode(text).length

/**
 * Returns the number of values that filters reach: scalars, and the scalar elements of lists,
 * without objects in lists.
 */
export const indexedValues = (value: object): number =>
  Object.values(value).reduce((sum: number, inner: unknown) => {
    if (typeof inner !== 'object') return sum + 1
    if (inner === null || Array.isArray(value)) return sum
    return sum + indexedValues(inner)
  }, 0)
