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
import { type BlockRow, blockColumns, wordsOfBlock } from './read-blocks.ts'
import type { Candidate } from './read-candidates.ts'
import { isInRange, isSameKey } from './sort-keys.ts'
import { anyValue, type IndexValue, type TermRange } from './term-ranges.ts'
import { compareValues, listParts } from './walk-order.ts'

/** The approximate number of rows that D1 reads for each bitmap of a walk, and for each record that is sorted. */
export const [rowsPerBitmap, rowsPerSorted] = [3, 4]

/** Bitmaps of a field's terms in an order, so many, from a block of a term on. */
export type Step = {
  order: Order
  ranges: readonly TermRange[]
  from?: { key: IndexValue; block: number } | undefined
  bitmaps: number
}

/** The order to walk, and the records that are wanted. */
type WalkQuery = {
  order: readonly Order[]
  after: Position | undefined
  /** The ranges of the first field, if the filter has any. */
  ranges: readonly TermRange[] | undefined
  /** The records that pass; undefined for all in the ranges. */
  matched: OrdinalSet | undefined
}

/** The first step along a field of an order. */
export function firstStep(
  { order, after, ranges }: Omit<WalkQuery, 'matched'>,
  depth: number,
  bitmaps: number,
): Step | undefined {
  const [field, key] = [order[depth], after?.keys[depth]]
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
  leaf: '-2',
  certain: 'true',
  count: 'block',
  words: wordsOfBlock,
  value: 'value',
})

/** The bitmaps of a step, and more; undefined if nothing is left. */
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

/** The first blocks of a step, in its order. Each part of the step has as many, so these are complete. */
function mergeParts(rows: readonly BlockRow[], { order, bitmaps }: Step): BlockRow[] {
  const direction = order.isDescending ? -1 : 1
  return rows
    .toSorted(
      (one, other) => direction * compareValues(one.value, other.value) || one.count - other.count,
    )
    .slice(0, bitmaps)
}

/** Gathers the first records of an order along the terms of its fields. */
export class OrderWalk {
  readonly #candidates: Candidate[] = []
  readonly #reader: QueryReader
  readonly #query: WalkQuery

  constructor(reader: QueryReader, query: WalkQuery) {
    this.#reader = reader
    this.#query = query
  }

  /**
   * Gathers candidates until `max` are after the position; `isMore` if there are so many. `rows` is
   * the result of the first step.
   */
  async gather(
    max: number,
    step: Step | undefined,
    rows: readonly BlockRow[],
  ): Promise<{ candidates: readonly Candidate[]; isMore: boolean }> {
    const { matched, after } = this.#query
    const gathered = await this.#walk(matched, [], after, max, step && { step, rows })
    return { candidates: this.#candidates, isMore: gathered >= max }
  }

  /** Walks along one field with the same values in the fields before it. Returns the number of candidates after the position, if any. */
  async #walk(
    matched: OrdinalSet | undefined,
    keys: readonly SortKey[],
    after: Position | undefined,
    max: number,
    first?: { step: Step; rows: readonly BlockRow[] },
  ): Promise<number> {
    const { order, ranges } = this.#query
    const depth = keys.length
    const isLast = depth === order.length - 1
    const afterIn = (key: SortKey) => (isSameKey(key, after?.keys[depth]) ? after : undefined)
    let step = first?.step ?? firstStep({ order, after, ranges }, depth, queryLimits.stepBitmaps)
    let rows = first?.rows
    let gathered = 0
    let group: { key: IndexValue; ordinals: number[] } | undefined
    const closeGroup = async () => {
      if (group)
        gathered += await this.#addGroup(
          group.ordinals,
          [...keys, group.key],
          afterIn(group.key),
          max - gathered,
        )
      group = undefined
    }
    while (step) {
      rows ??= await this.#readStep(step)
      const walked = mergeParts(rows, step)
      for (const { value: key, count: block, words } of walked) {
        if (group && !isSameKey(group.key, key)) {
          await closeGroup()
          if (gathered >= max) return gathered
        }
        group ??= { key, ordinals: [] }
        const ordinals = new OrdinalSet(block, 1)
        ordinals.addWords(words)
        for (const ordinal of ordinals.ordinals())
          if (!matched || matched.has(ordinal)) group.ordinals.push(ordinal)
      }
      const last = walked.at(-1)
      const isEnd = !last || walked.length < step.bitmaps
      if (
        isEnd ||
        (isLast && group && gathered + countAfter(group.ordinals, afterIn(group.key)) >= max)
      ) {
        await closeGroup()
        if (gathered >= max) return gathered
      }
      if (isEnd) break
      const bitmaps = Math.min(4 * step.bitmaps, queryLimits.maxStepBitmaps)
      const rowsToRead = rowsPerBitmap * bitmaps + rowsPerSorted * (max + queryLimits.sortedGroup)
      if (this.#reader.rowsRead + rowsToRead > maxRowsRead)
        throw tooManyRows(
          'Too few of the first records in this order pass the filter: filter by a range of the field of $orderby, or order by another field.',
        )
      step = {
        ...step,
        bitmaps,
        from: { key: last.value, block: last.count + 1 },
      }
      rows = undefined
    }
    const field = order[depth]?.field
    if (!field || (depth === 0 && ranges)) return gathered
    const missing = await findMissing(this.#reader, field, matched)
    return (
      gathered + (await this.#addGroup(missing, [...keys, null], afterIn(null), max - gathered))
    )
  }

  async #readStep(step: Step): Promise<BlockRow[]> {
    const rows = selectStep(this.#reader.scope, step)
    return rows ? this.#reader.select(rows) : []
  }

  /** Adds the records with the same values: all if they are few, otherwise along the next field. Returns the number after the position. */
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
