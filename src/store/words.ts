import { type SQL, sql } from 'drizzle-orm'
import type { Scope } from './scope.ts'

/*
 * The index as docs/storage.md explains it: bit b of word w of a block stands for the record of
 * ordinal 496 × block + 62 × w + b.
 */

const words = ['w0', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7'] as const

/** Something for each word of a block, as a list in SQL. */
export const eachWord = (make: (word: SQL) => SQL): SQL =>
  sql.join(
    words.map((word) => make(sql.raw(word))),
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

/** The words of each block as columns of their names, less the bits up to an ordinal. */
export function wordsAfter(ordinal: number): SQL {
  const [block, place] = [Math.floor(ordinal / 496), ordinal % 496]
  const left = (name: string, word: number) => {
    if (word < Math.floor(place / 62)) return '0'
    return word * 62 > place ? name : `${name} & ~((1 << ${(place % 62) + 1}) - 1)`
  }
  return sql.raw(
    words
      .map((name, word) => `iif(block = ${block}, ${left(name, word)}, ${name}) AS ${name}`)
      .join(', '),
  )
}

/** Which term is the collection itself: every record of it has it. */
export const wholeCollection = ({ organisationId, collection }: Scope): SQL =>
  sql`organisation_id = ${organisationId} AND collection = ${collection}
    AND field = '' AND value = x''`

/** SQL for how many records a collection has. */
export const recordCount = (scope: Scope) =>
  sql<number>`coalesce((SELECT count FROM terms WHERE ${wholeCollection(scope)}), 0)`
