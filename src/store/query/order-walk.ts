import { sql } from 'drizzle-orm/sql'
import type { Order, Position, SortKey } from '../../model/query/query-options.ts'
import { blockSize } from '../bitmap/bits.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import type { Rows } from '../columns.ts'
import type { Scope } from '../statement.ts'
import { findMissing } from './find-matches.ts'
import { OrdinalSet } from './ordinal-set.ts'
import { indexField } from './plan.ts'
import { type QueryReader, queryLimits, tooManyRows } from './query-reader.ts'
import { type BlockRow, blockColumns, walkLeaf, wordsOfBlock } from './read-blocks.ts'
import type { Candidate } from './read-candidates.ts'
import { isInRange, isSameKey } from './sort-keys.ts'
import { anyValue, type IndexValue, type TermRange } from './term-ranges.ts'
import { compareValues, listParts } from './value-order.ts'

/*
 * Finds the first records of an order without sorting all that pass the filter. For `$orderby=date`, the terms of
 * `date` are in the order of their values, so a walk along their bitmaps meets the records in order. It reads a step of
 * bitmaps at a time, each larger than the last, until it has enough records that pass.
 *
 * For `$orderby=date,name`, the records with the same date are a group. A small group is sorted with the page; in a
 * large one, a walk along `name` finds the first. Records without a date are the last group.
 */

/** The approximate number of rows that D1 reads for each bitmap of a walk. */
export const rowsPerBitmap = 3

/** The approximate number of rows that D1 reads for each record that is sorted. */
export const rowsPerSorted = 4

/** A step of a walk along the terms of one field. */
export type Step = {
  order: Order
  /** The terms to walk. */
  ranges: readonly TermRange[]
  /** The value and the block of its bitmap at which the step starts; undefined at the beginning of the order. */
  from?: { key: IndexValue; block: number } | undefined
  /** The number of bitmaps to read. */
  bitmaps: number
}

type WalkQuery = {
  order: readonly Order[]
  /** The position of the last record of the previous page. */
  after: Position | undefined
  /** The ranges of the first field to which the filter limits the walk. */
  ranges: readonly TermRange[] | undefined
  /** The records that pass the filter; undefined if all records in the ranges do. */
  matched: OrdinalSet | undefined
}

/** The first step along the field number `depth` of an order. Undefined if the page continues among the records without a value. */
export function firstStep(
  { order, after, ranges }: Omit<WalkQuery, 'matched'>,
  depth: number,
  bitmaps: number,
): Step | undefined {
  const field = order[depth]
  const key = after?.keys[depth]
  if (!field || key === null) return undefined
  const isLast = depth === order.length - 1
  const block = isLast ? Math.floor((after?.ordinal ?? 0) / blockSize) : 0
  return {
    order: field,
    ranges: (depth === 0 && ranges) || [anyValue],
    from: key === undefined ? undefined : { key, block },
    bitmaps,
  }
}

const walkColumns = blockColumns({
  leaf: String(walkLeaf),
  certain: 'true',
  count: 'block',
  words: wordsOfBlock,
  value: 'value',
})

/** Selects the bitmaps of a step, as many for each part of its ranges (see value-order.ts); undefined if no values are left. */
export function selectStep(
  { organisationId, collection }: Scope,
  { order: { field, isDescending }, ranges, from, bitmaps }: Step,
): Rows<typeof walkColumns> | undefined {
  const parts = ranges.flatMap((range) =>
    listParts(range, from, isDescending).map(
      (part) => sql`SELECT * FROM (
        SELECT terms.value, bitmaps.* FROM terms CROSS JOIN bitmaps ON bitmaps.term_id = terms.id
        WHERE organisation_id = ${organisationId} AND collection = ${collection}
          AND field = ${indexField(field)}
          AND ${isInRange(sql`value`, range, part)} AND ${part.condition}
        ORDER BY value ${sql.raw(isDescending ? 'DESC' : 'ASC')} LIMIT ${sql.raw(String(bitmaps))}
      )`,
    ),
  )
  if (parts.length === 0) return undefined
  return { columns: walkColumns, from: sql`FROM (${sql.join(parts, sql` UNION ALL `)})` }
}

/** Merges the parts of a step: its first bitmaps in order. Each part has as many rows as the step, so none is missing. */
function mergeParts(rows: readonly BlockRow[], { order, bitmaps }: Step): BlockRow[] {
  const direction = order.isDescending ? -1 : 1
  return rows
    .toSorted(
      (one, other) => direction * compareValues(one.value, other.value) || one.count - other.count,
    )
    .slice(0, bitmaps)
}

/** The first step of a walk, and its bitmaps if they have been read. */
type FirstStep = { step: Step; rows: readonly BlockRow[] | undefined }

/** The records with the same value of a field. */
type Group = { key: IndexValue; ordinals: number[] }

/** Gathers candidates for a page: the first records of an order that pass the filter. */
export class OrderWalk {
  readonly #candidates: Candidate[] = []
  readonly #reader: QueryReader
  readonly #query: WalkQuery

  constructor(reader: QueryReader, query: WalkQuery) {
    this.#reader = reader
    this.#query = query
  }

  /** Gathers until `max` candidates are after the position, and `isMore` says whether there are so many. `rows` is the result of the first step. */
  async gather(
    max: number,
    step: Step | undefined,
    rows: readonly BlockRow[],
  ): Promise<{ candidates: readonly Candidate[]; isMore: boolean }> {
    const { matched, after } = this.#query
    const gathered = await this.#walk(matched, [], after, max, step && { step, rows })
    return { candidates: this.#candidates, isMore: gathered >= max }
  }

  /**
   * Walks along one field, for records that have the values `keys` in the fields before it. Returns the number of
   * candidates after the position.
   */
  async #walk(
    matched: OrdinalSet | undefined,
    keys: readonly SortKey[],
    after: Position | undefined,
    max: number,
    first?: FirstStep,
  ): Promise<number> {
    const { order, ranges } = this.#query
    const depth = keys.length
    const isLast = depth === order.length - 1
    // Only the group with the position's own value is in part before the position.
    const positionIn = (key: SortKey) => (isSameKey(key, after?.keys[depth]) ? after : undefined)
    let gathered = 0
    // The last field has no field after it to sort a group by, so its first records are enough.
    const isEnough = ({ key, ordinals }: Group) =>
      isLast && gathered + countAfter(ordinals, positionIn(key)) >= max
    const step = first?.step ?? firstStep({ order, after, ranges }, depth, queryLimits.stepBitmaps)
    const groups = step ? this.#readGroups({ step, rows: first?.rows }, matched, max, isEnough) : []
    for await (const { key, ordinals } of groups) {
      const left = max - gathered
      gathered += await this.#addGroup(ordinals, [...keys, key], positionIn(key), left)
      if (gathered >= max) return gathered
    }
    const field = order[depth]?.field
    if (!field || (depth === 0 && ranges)) return gathered
    const missing = await findMissing(this.#reader, field, matched)
    return (
      gathered + (await this.#addGroup(missing, [...keys, null], positionIn(null), max - gathered))
    )
  }

  /** The groups of a walk, in order. The last is incomplete if it is enough before its end. */
  async *#readGroups(
    first: FirstStep,
    matched: OrdinalSet | undefined,
    max: number,
    isEnough: (group: Group) => boolean,
  ): AsyncGenerator<Group, void> {
    let group: Group | undefined
    for await (const { bitmaps, isEnd } of this.#readSteps(first, max)) {
      for (const { value: key, count: block, words } of bitmaps) {
        if (group && !isSameKey(group.key, key)) {
          yield group
          group = undefined
        }
        group ??= { key, ordinals: [] }
        const ordinals = new OrdinalSet(block, 1)
        ordinals.addWords(words)
        for (const ordinal of ordinals.ordinals())
          if (!matched || matched.has(ordinal)) group.ordinals.push(ordinal)
      }
      if (!isEnd && group && isEnough(group)) break
    }
    if (group) yield group
  }

  /** The bitmaps of a walk, a step at a time. Throws before a step that would read too many rows. */
  async *#readSteps(
    first: FirstStep,
    max: number,
  ): AsyncGenerator<{ bitmaps: readonly BlockRow[]; isEnd: boolean }, void> {
    let { step } = first
    let rows = first.rows ?? (await this.#readStep(step))
    for (;;) {
      const bitmaps = mergeParts(rows, step)
      const last = bitmaps.at(-1)
      const isEnd = !last || bitmaps.length < step.bitmaps
      yield { bitmaps, isEnd }
      if (isEnd) return
      step = {
        ...step,
        bitmaps: Math.min(4 * step.bitmaps, queryLimits.maxStepBitmaps),
        from: { key: last.value, block: last.count + 1 },
      }
      const rowsToRead =
        rowsPerBitmap * step.bitmaps + rowsPerSorted * (max + queryLimits.sortedGroup)
      if (this.#reader.rowsRead + rowsToRead > maxRowsRead)
        throw tooManyRows(
          'Too few of the first records in this order pass the filter: filter by a range of the field of $orderby, or order by another field.',
        )
      rows = await this.#readStep(step)
    }
  }

  async #readStep(step: Step): Promise<BlockRow[]> {
    const rows = selectStep(this.#reader.scope, step)
    return rows ? this.#reader.select(rows) : []
  }

  /** Adds the records of a group as candidates: all if they are few, otherwise the first along the next field. Returns the number after the position. */
  async #addGroup(
    ordinals: readonly number[],
    keys: readonly SortKey[],
    after: Position | undefined,
    max: number,
  ): Promise<number> {
    if (keys.length === this.#query.order.length) {
      const added = ordinals.filter((ordinal) => ordinal > (after?.ordinal ?? 0)).slice(0, max)
      for (const ordinal of added) this.#candidates.push({ ordinal, keys })
      return added.length
    }
    if (ordinals.length <= queryLimits.sortedGroup) {
      for (const ordinal of ordinals) this.#candidates.push({ ordinal, keys })
      // Only the sort knows how many of them are after the position.
      return after ? 0 : ordinals.length
    }
    const matched = new OrdinalSet(0, Math.floor((ordinals.at(-1) ?? 0) / blockSize) + 1)
    for (const ordinal of ordinals) matched.add(ordinal)
    return this.#walk(matched, keys, after, max)
  }
}

const countAfter = (ordinals: readonly number[], after: Position | undefined) =>
  ordinals.filter((ordinal) => ordinal > (after?.ordinal ?? 0)).length
