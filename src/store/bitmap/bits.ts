import { type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../sql/scope.ts'

/*
 * The index as docs/storage.md explains it: bit b of word w of a block stands for the record of
 * ordinal 496 × block + 62 × w + b.
 */

/** The columns that hold the words of a block. */
export const bitmapColumns = ['w0', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7'] as const

/** The octal digits and how many bits each has. */
const digits = [0, 1, 1, 2, 1, 2, 2, 3].entries()

/**
 * SQL for how many bits are set in a block's words: each octal digit is replaced by as many letters as
 * it has bits. 5 and 6 are '56', so 'aaaa', so 4. As arithmetic it would be ten times as long, and
 * twenty filters would make a statement longer than D1 takes.
 */
export const bitsSet = `length(${[...digits].reduce(
  (text, [digit, bits]) => `replace(${text}, '${digit}', '${'a'.repeat(bits)}')`,
  `printf('${'%o'.repeat(bitmapColumns.length)}', ${bitmapColumns.join(', ')})`,
)})`

/** SQL for the bits of the word at `place` of a block that stand for ordinals above `after`, up to `upto`. */
export function bitsBetween(place: number, after: string, upto: string): string {
  const upTo = (ordinal: string) =>
    `(1 << min(max(${ordinal} + 1 - 496 * words.block - ${62 * place}, 0), 62))`
  return `max(${upTo(upto)} - ${upTo(after)}, 0)`
}

/** SQL for whether the bit of the record with this ordinal is set in its block's words. */
export const bitOf = (ordinal: string): string =>
  `(CASE ${ordinal} % 496 / 62 ${bitmapColumns
    .map((word, place) => `WHEN ${place} THEN ${word}`)
    .join(' ')} END >> ${ordinal} % 62 & 1)`

/** SQL for whether a bit is set in a block's words. */
export const hasAnyBit = `(${bitmapColumns.join(' | ')}) <> 0`

/** SQL for the numbers from 0 on, as rows that cost nothing: D1 counts no row of VALUES. */
export const rowsUpTo = (count: number): string =>
  `(VALUES ${Array.from({ length: count }, (_, place) => `(${place})`).join(', ')})`

/**
 * SQL for the ordinals that a row of `block` and `w0` … `w7` stands for, in order and joined by commas:
 * of block 2 with w0 = 5 and the others 0, '992,994'. A json_each or a join would read a row a bit.
 */
export const ordinals = `(
  SELECT group_concat((
    SELECT group_concat(496 * block + 62 * word + bit.column1)
    FROM ${rowsUpTo(62)} AS bit WHERE bits >> bit.column1 & 1
  ))
  FROM (
    SELECT column1 AS word, CASE column1 ${bitmapColumns
      .map((word, place) => `WHEN ${place} THEN ${word}`)
      .join(' ')} END AS bits
    FROM ${rowsUpTo(bitmapColumns.length)}
  )
  WHERE bits <> 0
)`

/** SQL for the words of each block as columns of their names, less the bits up to an ordinal. */
export function bitmapAfter(ordinal: number): string {
  const [block, place] = [Math.floor(ordinal / 496), ordinal % 496]
  const left = (name: string, word: number) => {
    if (word < Math.floor(place / 62)) return '0'
    return word * 62 > place ? name : `${name} & ~((1 << ${(place % 62) + 1}) - 1)`
  }
  return bitmapColumns
    .map((name, word) => `iif(block = ${block}, ${left(name, word)}, ${name}) AS ${name}`)
    .join(', ')
}

/** Which term is the collection itself: every record of it has it. */
export const collectionTerm = ({ organisationId, collection }: Scope): SQL =>
  sql`organisation_id = ${organisationId} AND collection = ${collection}
    AND field = '' AND value = x''`

/** SQL for how many records a collection has. */
export const recordCount = (scope: Scope) =>
  sql<number>`coalesce((SELECT count FROM terms WHERE ${collectionTerm(scope)}), 0)`
