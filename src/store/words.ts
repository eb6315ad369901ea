import { type SQL, sql } from 'drizzle-orm'
import type { Scope } from './scope.ts'

/*
 * The index as docs/storage.md explains it: bit b of word w of a block stands for the record of
 * ordinal 496 × block + 62 × w + b.
 */

const words = ['w0', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7'] as const

/** Something for each word of a block, as a list in SQL. */
export const eachWord = (make: (word: SQL, place: number) => SQL): SQL =>
  sql.join(
    words.map((word, place) => make(sql.raw(word), place)),
    sql`, `,
  )

/** How many bits are set in a block's words: of each two bits, then of each four, of each eight, and of all. */
export const bitsSet: SQL = sql.raw(
  words
    .map((word) => {
      const pairs = `(${word} - ((${word} >> 1) & 0x5555555555555555))`
      const fours = `((${pairs} & 0x3333333333333333) + ((${pairs} >> 2) & 0x3333333333333333))`
      return `((${fours} + (${fours} >> 4)) & 0x0f0f0f0f0f0f0f0f) % 255`
    })
    .join(' + '),
)

/** The bits of a word of a block that stand for ordinals above `after`, up to `upto`. */
export function bitsBetween(block: SQL, place: number, after: SQL, upto: SQL): SQL {
  const upTo = (ordinal: SQL) =>
    sql`(1 << min(max(${ordinal} + 1 - 496 * ${block} - ${sql.raw(String(62 * place))}, 0), 62))`
  return sql`max(${upTo(upto)} - ${upTo(after)}, 0)`
}

/** Whether the bit of the record with this ordinal is set in its block's words. */
export const bitOf = (ordinal: SQL): SQL =>
  sql`(CASE ${ordinal} % 496 / 62 ${sql.raw(
    words.map((word, place) => `WHEN ${place} THEN ${word}`).join(' '),
  )} END >> ${ordinal} % 62 & 1)`

/** Whether a bit is set in a block's words. */
export const anyBit: SQL = sql.raw(`(${words.join(' | ')}) <> 0`)

/** The numbers from 0 on, as rows that cost nothing: D1 counts no row of VALUES. */
export const places = (count: number): SQL =>
  sql.raw(`(VALUES ${Array.from({ length: count }, (_, place) => `(${place})`).join(', ')})`)

/**
 * The ordinals that a row of `block` and `w0` … `w7` stands for, in order and joined by commas: of
 * block 2 with w0 = 5 and the others 0, '992,994'. A json_each or a join would read a row a bit.
 */
export const ordinals: SQL = sql`(
  SELECT group_concat((
    SELECT group_concat(496 * block + 62 * word + bit.column1)
    FROM ${places(62)} AS bit WHERE bits >> bit.column1 & 1
  ))
  FROM (
    SELECT column1 AS word, CASE column1 ${sql.raw(
      words.map((word, place) => `WHEN ${place} THEN ${word}`).join(' '),
    )} END AS bits
    FROM ${places(8)}
  )
  WHERE bits <> 0
)`

/** Which term is the collection itself: every record of it has it. */
export const wholeCollection = ({ organisationId, collection }: Scope): SQL =>
  sql`organisation_id = ${organisationId} AND collection = ${collection}
    AND field = '' AND value = x''`

/** SQL for how many records a collection has. */
export const recordCount = (scope: Scope) =>
  sql<number>`coalesce((SELECT count FROM terms WHERE ${wholeCollection(scope)}), 0)`
