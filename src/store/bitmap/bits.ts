import { type SQL, sql } from 'drizzle-orm'
import type { Filter } from '../../model/filter.ts'
import type { Scope } from '../statement.ts'

/*
 * The index of docs/storage.md: bit b of part p of a block is set for the record with the ordinal
 * 496 × block + 62 × p + b.
 */

/** The columns of a bitmap. */
export const bitmapColumns = [
  'bits0',
  'bits1',
  'bits2',
  'bits3',
  'bits4',
  'bits5',
  'bits6',
  'bits7',
] as const

/** The octal digits, each with its number of bits. */
const digits = [0, 1, 1, 2, 1, 2, 2, 3].entries()

/**
 * SQL for the number of bits set in a block: each octal digit is replaced by one letter for each of
 * its bits. 5 and 6 are '56', so 'aaaa', so 4. Arithmetic would be ten times as long, and a
 * statement with twenty filters would be too long for D1.
 */
export const bitsSet = `length(${[...digits].reduce(
  (text, [digit, bits]) => `replace(${text}, '${digit}', '${'a'.repeat(bits)}')`,
  `printf('${'%o'.repeat(bitmapColumns.length)}', ${bitmapColumns.join(', ')})`,
)})`

/** Returns SQL for the bits of one column of a block for ordinals above `after`, up to `upto`. */
export function bitsBetween(part: number, after: string, upto: string): string {
  const upTo = (ordinal: string) =>
    `(1 << min(max(${ordinal} + 1 - 496 * bitmaps.block - ${62 * part}, 0), 62))`
  return `max(${upTo(upto)} - ${upTo(after)}, 0)`
}

/** Returns SQL for whether a block has the bit of this ordinal. */
export const bitOf = (ordinal: string): string =>
  `(CASE ${ordinal} % 496 / 62 ${bitmapColumns
    .map((column, part) => `WHEN ${part} THEN ${column}`)
    .join(' ')} END >> ${ordinal} % 62 & 1)`

/** SQL for whether any bit of a block is set. */
export const hasAnyBit = `(${bitmapColumns.join(' | ')}) <> 0`

/**
 * Returns SQL for the numbers from 0 to `count` - 1 as rows that D1 does not count, because they
 * are VALUES.
 */
export const rowsUpTo = (count: number): string =>
  `(VALUES ${Array.from({ length: count }, (_, number) => `(${number})`).join(', ')})`

/**
 * SQL for the ordinals in a row of `block` and `bits0` … `bits7`, in order and separated by commas: of
 * block 2 with bits0 = 5 and the others 0, '992,994'. A json_each or a join would read a row for each
 * bit.
 */
export const ordinals = `(
  SELECT group_concat((
    SELECT group_concat(496 * block + 62 * part + bit.column1)
    FROM ${rowsUpTo(62)} AS bit WHERE bits >> bit.column1 & 1
  ))
  FROM (
    SELECT column1 AS part, CASE column1 ${bitmapColumns
      .map((column, part) => `WHEN ${part} THEN ${column}`)
      .join(' ')} END AS bits
    FROM ${rowsUpTo(bitmapColumns.length)}
  )
  WHERE bits <> 0
)`

/** Returns SQL for the columns of a block without the bits up to an ordinal. */
export function bitmapAfter(ordinal: number): string {
  const [block, bit] = [Math.floor(ordinal / 496), ordinal % 496]
  const left = (name: string, part: number) => {
    if (part < Math.floor(bit / 62)) return '0'
    return part * 62 > bit ? name : `${name} & ~((1 << ${(bit % 62) + 1}) - 1)`
  }
  return bitmapColumns
    .map((name, part) => `iif(block = ${block}, ${left(name, part)}, ${name}) AS ${name}`)
    .join(', ')
}

/** Returns SQL for the term of the whole collection, which every record has. */
export const collectionTerm = ({ organisationId, collection }: Scope): SQL =>
  sql`organisation_id = ${organisationId} AND collection = ${collection}
    AND field = '' AND value = x''`

/** Returns SQL for the number of records in a collection. */
export const recordCount = (scope: Scope) =>
  sql<number>`coalesce((SELECT count FROM terms WHERE ${collectionTerm(scope)}), 0)`

/**
 * Returns SQL for a text as the index has it: complete up to 256 bytes, otherwise its first 256
 * bytes as a blob (see the view `leaves`).
 */
export const indexedText = (text: SQL) =>
  sql`CASE WHEN octet_length(${text}) > 256 THEN substr(CAST(${text} AS BLOB), 1, 256) ELSE ${text} END`

/** Whether a text is longer than the 256 bytes in the index. */
export const isLong = (value: Filter['values'][number]) =>
  typeof value === 'string' && new TextEncoder().encode(value).length > 256
