import type { OrdinalSet } from '../query/ordinal-set.ts'

/** The matched records of a summary, which its columns number from 0 in order of arrival. */
export type NumberedRecords = {
  matched: OrdinalSet
  /** The ordinals by the number of the record. */
  ordinals: Int32Array
  /** The number of the record with an ordinal; undefined if it does not match. */
  recordOf: (ordinal: number) => number | undefined
}

export function numberRecords(matched: OrdinalSet): NumberedRecords {
  const ordinals = Int32Array.from(matched.ordinals())
  const numbers = new Int32Array((ordinals.at(-1) ?? 0) + 1)
  for (const [record, ordinal] of ordinals.entries()) numbers[ordinal] = record
  return {
    matched,
    ordinals,
    recordOf: (ordinal) => (matched.has(ordinal) ? numbers[ordinal] : undefined),
  }
}
