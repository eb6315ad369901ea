import { type SQL, sql } from 'drizzle-orm/sql'
import type { Filter } from '../../model/filter.ts'
import type { Scope } from '../statement.ts'

/*
 * The bitmap index, which docs/storage.md explains. Each value of a field is a term, and a row of `bitmaps` has the
 * records with this term among `blockSize` consecutive ordinals, a block: bit `b` of its column `bits<p>` is set if the record
 * with the ordinal blockSize × block + wordSize × p + b has the term.
 *
 * The SQL texts below are for queries on rows of `bitmaps`, or with the same columns: `block` and `bits0` to `bits7`.
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

/** The number of ordinals in a column of a bitmap: 62, so that no integer is negative. */
export const wordSize = 62

/** The number of ordinals in a block. */
export const blockSize = wordSize * bitmapColumns.length

/** The number of set bits of each octal digit. */
const digits = [0, 1, 1, 2, 1, 2, 2, 3].entries()

/**
 * SQL for the number of bits set in a block: replaces each octal digit with one letter per set bit
 * and takes the length ('56' → 'aaaa' → 4). Arithmetic would be ten times as long and would exceed
 * D1's statement length with twenty filters.
 */
export const bitCountOfBlock = `length(${[...digits].reduce(
  (text, [digit, bits]) => `replace(${text}, '${digit}', '${'a'.repeat(bits)}')`,
  `printf('${'%o'.repeat(bitmapColumns.length)}', ${bitmapColumns.join(', ')})`,
)})`

/** SQL for the value of a column in which exactly the bits of ordinals above `after` and up to `upto` are set. Needs the table `bitmaps`. */
export function bitsBetween(part: number, after: string, upto: string): string {
  const upTo = (ordinal: string) =>
    `(1 << min(max(${ordinal} + 1 - ${blockSize} * bitmaps.block - ${wordSize * part}, 0), ${wordSize}))`
  return `max(${upTo(upto)} - ${upTo(after)}, 0)`
}

/** SQL that reads the bit of an ordinal from its block. */
export const bitOf = (ordinal: string): string =>
  `(CASE ${ordinal} % ${blockSize} / ${wordSize} ${bitmapColumns
    .map((column, part) => `WHEN ${part} THEN ${column}`)
    .join(' ')} END >> ${ordinal} % ${wordSize} & 1)`

/** SQL for the id of a term; NULL if no record has the value, an SQL value as the index stores it. */
export const termId = ({ organisationId, collection }: Scope, field: string, value: SQL): SQL =>
  sql`(
    SELECT id FROM terms WHERE organisation_id = ${organisationId}
      AND collection = ${collection} AND field = ${field} AND value = ${value}
  )`

/** SQL that tests whether a block has any bit set. */
export const hasAnyBit = `(${bitmapColumns.join(' | ')}) <> 0`

/**
 * SQL for the numbers from 0 to `count` - 1. D1 does not count rows from VALUES as read.
 */
export const rowsUpTo = (count: number): string =>
  count === 0
    ? '(SELECT NULL AS column1 WHERE false)'
    : `(VALUES ${Array.from({ length: count }, (_, number) => `(${number})`).join(', ')})`

/**
 * SQL for the ordinals of a block, in order and separated by commas: '992,994' for block 2 with
 * bits0 = 5. A json_each or a join would read one row per bit.
 */
export const ordinalsOfBlock = `(
  SELECT group_concat((
    SELECT group_concat(${blockSize} * block + ${wordSize} * part + bit.column1)
    FROM ${rowsUpTo(wordSize)} AS bit WHERE bits >> bit.column1 & 1
  ))
  FROM (
    SELECT column1 AS part, CASE column1 ${bitmapColumns
      .map((column, part) => `WHEN ${part} THEN ${column}`)
      .join(' ')} END AS bits
    FROM ${rowsUpTo(bitmapColumns.length)}
  )
  WHERE bits <> 0
)`

/** SQL for a block's columns with all bits up to and including an ordinal cleared. */
export function bitmapAfter(ordinal: number): string {
  const block = Math.floor(ordinal / blockSize)
  const bit = ordinal % blockSize
  const left = (name: string, part: number) => {
    if (part < Math.floor(bit / wordSize)) return '0'
    return part * wordSize > bit ? name : `${name} & ~((1 << ${(bit % wordSize) + 1}) - 1)`
  }
  return bitmapColumns
    .map((name, part) => `iif(block = ${block}, ${left(name, part)}, ${name}) AS ${name}`)
    .join(', ')
}

/** SQL for the condition that selects the term of the whole collection. */
export const collectionTerm = ({ organisationId, collection }: Scope): SQL =>
  sql`organisation_id = ${organisationId} AND collection = ${collection}
    AND field = '' AND value = x''`

/** SQL for the number of records in a collection. */
export const recordCount = (scope: Scope) =>
  sql<number>`coalesce((SELECT count FROM terms WHERE ${collectionTerm(scope)}), 0)`

/**
 * SQL for a text as the index stores it: complete up to 256 bytes, otherwise its first 256
 * bytes as a blob (see the view `leaves`).
 */
export const indexedText = (text: SQL) =>
  sql`CASE WHEN octet_length(${text}) > 256 THEN substr(CAST(${text} AS BLOB), 1, 256) ELSE ${text} END`

/** Whether a text exceeds the 256 bytes that the index stores. */
export const isLong = (value: Filter['values'][number]) =>
  typeof value === 'string' && new TextEncoder().encode(value).length > 256
