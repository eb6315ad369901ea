import { type SQL, sql } from 'drizzle-orm/sql'
import { ApiError } from '../../model/api-error.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { bitmapColumns, blockSize, collectionTerm } from '../bitmap/bits.ts'
import { changedBetween, createdBetween, type TimeRange } from '../bitmap/time-ranges.ts'
import { bodyOf, flag, integer, type Rows, type Selected, selectColumns, text } from '../columns.ts'
import type { Row } from '../statement.ts'
import { OrdinalSet } from './ordinal-set.ts'
import type { Leaf } from './plan.ts'
import { type QueryReader, queryLimits, tooManyRows } from './query-reader.ts'
import { collectionLeaf, selectTerms } from './select-terms.ts'
import { indexColumn } from './sort-keys.ts'

/*
 * The first statement of a query: finds the terms that pass the comparisons of its filter, and reads their bitmaps
 * in a range of blocks. A bitmap has a bit for each of the consecutive ordinals of a block; it is set if the
 * record with this ordinal has the term. See docs/storage.md.
 */

/** The number of the rows of a walk, which belong to no leaf of the plan. */
export const walkLeaf = -2

/** The approximate number of rows that D1 reads for each term, besides its bitmaps. */
const rowsPerTerm = 4

/** The maximum number of changes of the organisation that a range of last changes spans. */
const maxChanges = 40_000

/** Some of the blocks, in the hope that they have enough matches. */
export type Window = {
  /** The number of the first block. */
  first: number
  /** The maximum number of bitmaps to read. */
  maxBitmaps: number
  /** The number of matches that suffices. The density of a leaf, or of the collection, estimates where they end. */
  enough: { leaf: number; matches: number } | undefined
}

/**
 * The columns of a row. It has either a matched term with its bitmaps in all blocks of the range, or one bitmap of
 * a walk, with the number of its block as `count`.
 */
export const blockColumns = (
  names: Record<'leaf' | 'certain' | 'count' | 'words' | 'value', string>,
) => ({
  leaf: integer(sql.raw(names.leaf)),
  /** Whether all records of the term pass, even if the text is longer than the index stores. */
  isCertain: flag(sql.raw(names.certain)),
  /** The number of the term's records or, in a walk, the number of the bitmap's block. */
  count: integer(sql.raw(names.count)),
  /** The set bits, as `wordsOfBlock` writes them. */
  words: text(sql.raw(names.words)),
  value: indexColumn(names.value),
})

type BlockColumns = ReturnType<typeof blockColumns>

export type BlockRow = Selected<BlockColumns>

/** The bitmaps to read. */
export type BlockRequest = {
  leaves: readonly Leaf[]
  /** Whether to read the leaves' bitmaps besides their counts. */
  readsLeaves: boolean
  /** Whether to read the bitmaps of the collection. */
  readsCollection: boolean
  blocks: 'all' | Window
  created?: TimeRange | undefined
  changed?: TimeRange | undefined
  /** Whether to return the values of the terms. */
  readsValues?: boolean
  /** The first bitmaps of a walk along the terms of an order, to read in the same statement. */
  walk?: Rows<BlockColumns> | undefined
}

/** Bitmaps of a range of blocks. */
export type Blocks = {
  /** The terms of the leaves. */
  terms: BlockRow[]
  collection: OrdinalSet
  first: number
  width: number
  /** Whether no blocks follow. */
  isLast: boolean
  /** The number of records in the collection. */
  count: number
  /** The ordinals of the records last changed in the range, unless it has all. */
  changed: OrdinalSet | undefined
  /** The records created in the range have ordinals above `after` and up to `upto`. */
  created: { after: number; upto: number } | undefined
  walked: BlockRow[]
}

/** Reads bitmaps in one statement. Throws 400 beyond the limits of rows and terms. */
export async function readBlocks(reader: QueryReader, request: BlockRequest): Promise<Blocks> {
  const maxTerms = Math.min(queryLimits.terms, Math.floor(reader.rowsLeft / rowsPerTerm))
  const terms = selectMatched(request)
  const { head, rows } = await reader.read(
    bodyOf({ ...terms, with: buildWith(reader, request, maxTerms) }),
    {
      first: sql`(SELECT first FROM block_range)`,
      width: sql`(SELECT width FROM block_range)`,
      beyond: sql`(SELECT beyond FROM block_range)`,
      bitmaps: sql`(SELECT bitmaps FROM block_range)`,
      records: sql`(SELECT count FROM terms WHERE ${collectionTerm(reader.scope)})`,
      ...(request.created && {
        created_after: sql`(SELECT after FROM created_between)`,
        created_upto: sql`(SELECT upto FROM created_between)`,
      }),
      ...(request.changed && {
        changes: sql`(SELECT iif(after = 0 AND upto = version, NULL, upto - after)
          FROM changed_between CROSS JOIN organisations WHERE id = ${reader.scope.organisationId})`,
        changed: selectChanged(reader),
      }),
    },
  )
  const count = Number(head.records)
  const hasTooManyTerms = count > 0 && head.first === null
  if (hasTooManyTerms && maxTerms === queryLimits.terms)
    throw new ApiError(
      'BAD_REQUEST',
      `The query is about more than ${formatNumber(queryLimits.terms)} different values of a field. Use a shorter range, or a longer beginning of a text.`,
    )
  if (hasTooManyTerms || (head.first !== null && head.width === null))
    throw reader.tooManyRows(
      'Use a shorter range, add a filter that fewer records pass, or leave out the order and the count.',
    )
  if (request.changed && Number(head.changes) > maxChanges)
    throw tooManyRows(
      'Use a shorter range of $updatedFrom and $updatedTo; /changes has everything in order of change.',
    )
  const isRestricted = request.changed && head.changes !== null
  const [first, width] = [Number(head.first), Number(head.width)]
  const blocks = decodeBlocks(terms.columns, rows)
  const collection = new OrdinalSet(first, width)
  for (const { leaf, words } of blocks) if (leaf === collectionLeaf) collection.addWords(words)
  return {
    terms: blocks.filter(({ leaf }) => leaf >= 0),
    collection,
    first,
    width,
    count,
    isLast: first + width >= Number(head.beyond),
    changed: isRestricted ? parseOrdinals(first, width, String(head.changed ?? '')) : undefined,
    created: request.created && {
      after: Number(head.created_after),
      upto: Number(head.created_upto),
    },
    walked: blocks.filter(({ leaf }) => leaf === walkLeaf),
  }
}

/** Decodes rows by name, which is several times faster than `decodeRows`: a filter can match 40,000 terms. */
function decodeBlocks(
  { leaf, isCertain, count, words, value }: BlockColumns,
  rows: readonly Row[],
): BlockRow[] {
  return rows.map((row) => ({
    leaf: leaf.decode(row.leaf ?? null),
    isCertain: isCertain.decode(row.isCertain ?? null),
    count: count.decode(row.count ?? null),
    words: words.decode(row.words ?? null),
    value: value.decode(row.value ?? null),
  }))
}

/**
 * SQL for the columns of a row of `bitmaps` that are not empty: the number of each among all columns of all blocks,
 * and its bits in hexadecimal. Block 2 with bits0 = 5 and bits3 = 16 is `16:5 19:10 `.
 */
export const wordsOfBlock = bitmapColumns
  .map(
    (column, part) =>
      `iif(${column}, (${bitmapColumns.length} * block + ${part}) || printf(':%x ', ${column}), '')`,
  )
  .join(' || ')

function parseOrdinals(first: number, width: number, ordinals: string): OrdinalSet {
  const set = new OrdinalSet(first, width)
  for (const ordinal of ordinals === '' ? [] : ordinals.split(',')) set.add(Number(ordinal))
  return set
}

/** SQL for the ordinals of the records in `changed_between`, separated by commas. */
const selectChanged = ({ scope }: QueryReader) => sql`(
  SELECT group_concat(ordinal) FROM changed_between CROSS JOIN records
  WHERE upto - after <= ${maxChanges} AND organisation_id = ${scope.organisationId}
    AND version > after AND version <= upto AND collection = ${scope.collection}
)`

/**
 * SQL for the tables `matched_terms` and `block_range`: the `first` block, the number of blocks to read (`width`;
 * NULL if their bitmaps are too many rows) and the end of all blocks (`beyond`). It has no row if there are too
 * many terms, because the collection's own is then missing.
 */
function buildWith(reader: QueryReader, request: BlockRequest, maxTerms: number): SQL {
  const times = [
    ...(request.created ? [createdBetween(reader.scope, request.created)] : []),
    ...(request.changed ? [changedBetween(reader.scope, request.changed)] : []),
  ]
  const { blocks } = request
  const first = blocks === 'all' ? 0 : blocks.first
  const [low, high] = request.created
    ? [
        `(SELECT after / ${blockSize} FROM created_between)`,
        `(SELECT upto / ${blockSize} + 1 FROM created_between)`,
      ]
    : ['0', `last / ${blockSize} + 1`]
  const width =
    blocks === 'all'
      ? `iif(bitmaps + ${rowsPerTerm} * terms <= ${reader.rowsLeft}, beyond - first, NULL)`
      : widthOf(blocks)
  const isRead = `iif(leaf < 0, ${request.readsCollection}, ${request.readsLeaves})`
  const leaf = blocks === 'all' ? collectionLeaf : (blocks.enough?.leaf ?? collectionLeaf)
  return sql`WITH RECURSIVE ${sql.join(times, sql`, `)} ${sql.raw(times.length > 0 ? ',' : '')}
    ${selectTerms(reader.scope, request.leaves, maxTerms)},
    block_range AS MATERIALIZED (
      SELECT first, beyond, bitmaps, max(0, ${sql.raw(width)}) AS width FROM (
        SELECT
          first, beyond, collection_term.last,
          sum(iif(${sql.raw(isRead)}, min(count, max(0, beyond - first)), 0)) AS bitmaps,
          sum(count) FILTER (WHERE leaf = ${sql.raw(String(leaf))}) AS matches,
          count(*) AS terms
        FROM (
          SELECT max(${sql.raw(String(first))}, ${sql.raw(low)}) AS first, ${sql.raw(high)} AS beyond, last
          FROM terms WHERE ${collectionTerm(reader.scope)}
        ) AS collection_term CROSS JOIN matched_terms
        HAVING max(leaf = ${sql.raw(String(collectionLeaf))})
      )
    )`
}

/** SQL for the number of blocks of a window. If all blocks together have few bitmaps, the window has them all. */
const widthOf = ({ maxBitmaps, enough }: Window) => `min(
  beyond - first,
  max(1, CAST(1.0 * ${maxBitmaps} * (beyond - first) / max(bitmaps, 1) AS INTEGER))
  ${enough ? `, iif(bitmaps <= ${queryLimits.wholeBitmaps}, beyond, 100 + CAST(2.0 * ${enough.matches} * (last / ${blockSize} + 1) / max(matches, 1) AS INTEGER))` : ''}
)`

/** The matched terms with their bitmaps, then the rows of a walk. */
function selectMatched({
  readsLeaves,
  readsCollection,
  readsValues = false,
  walk,
}: BlockRequest): Rows<BlockColumns> {
  const isRead = `iif(leaf < 0, ${readsCollection}, ${readsLeaves})`
  const words = `(
    SELECT group_concat(${wordsOfBlock}, '') FROM bitmaps
    WHERE ${isRead} AND term_id = id AND block >= first AND block < first + width
  )`
  const columns = blockColumns({
    leaf: 'leaf',
    certain: 'certain',
    count: 'count',
    words: `coalesce(${words}, '')`,
    value: readsValues ? `iif(leaf >= 0, value, '')` : "''",
  })
  const walked = walk
    ? sql`UNION ALL SELECT * FROM (SELECT ${selectColumns(walk.columns)} ${walk.from})`
    : sql``
  return { columns, from: sql`FROM block_range CROSS JOIN matched_terms ${walked}` }
}
