import { type SQL, sql } from 'drizzle-orm/sql'
import { ApiError } from '../../model/api-error.ts'
import { sha256 } from '../../platform/sha256.ts'
import { ofOrganisation } from '../../store/fragments.ts'
import { statement } from '../../store/statement.ts'
import { type MovedTable, readRows, type StoredValue } from './read-rows.ts'

/** The number of rows of a table and the SHA-256 of their values in order. */
type Digest = { rows: number; digest: string }

/** Throws an error that names the table unless an organisation's rows are the same in both databases. */
export async function compareTable(
  [source, target]: readonly [D1Database, D1Database],
  table: MovedTable,
  organisationId: string,
  expressions: Record<string, SQL>,
  onRows: (count: number) => void,
): Promise<void> {
  const [original, copy] = await Promise.all([
    digestChunks(readRows(source, table, organisationId, { expressions }), onRows),
    digestChunks(readRows(target, table, organisationId), () => {}),
  ])
  requireSame(table.name, original, copy)
}

/** Throws an error unless the index of an organisation is the same in both databases. */
export async function compareIndex(
  databases: readonly [D1Database, D1Database],
  organisationId: string,
): Promise<void> {
  const [original, copy] = await Promise.all(
    databases.map((d1) => digestChunks(readTerms(d1, organisationId), () => {})),
  )
  requireSame('terms, bitmaps', original, copy)
  const words = sql`SELECT count(*) AS number FROM name_words WHERE ${ofOrganisation({ organisationId })}`
  const [originalWords, copiedWords] = await Promise.all(
    databases.map((d1) => statement(d1, words).first<number>('number')),
  )
  if (originalWords !== copiedWords) throw differs('name_words')
}

async function digestChunks(
  chunks: AsyncIterable<StoredValue[][]>,
  onRows: (count: number) => void,
): Promise<Digest> {
  let rows = 0
  let digest = ''
  for await (const chunk of chunks) {
    rows += chunk.length
    digest = await sha256(`${digest} ${JSON.stringify(chunk)}`)
    onRows(chunk.length)
  }
  return { rows, digest }
}

function requireSame(name: string, original: Digest | undefined, copy: Digest | undefined): void {
  if (original?.rows !== copy?.rows || original?.digest !== copy?.digest) throw differs(name)
}

const differs = (table: string) =>
  new ApiError(
    'CONFLICT',
    `The copy differs from the original in ${table}. The organisation is where it was and can be read. To write to it again, move it to the database where it is.`,
  )

const maxTerms = 2000
const maxEntries = 50_000

/**
 * Yields the terms of an organisation with their bitmaps and words, in chunks of at most 2,000 terms
 * and 50,000 entries. The ids of terms differ between databases, and D1 rounds large integers, so
 * bits are text. Equal numbers are one term, whether it is stored as an integer or not.
 */
async function* readTerms(d1: D1Database, organisationId: string): AsyncGenerator<StoredValue[][]> {
  const order = sql`terms.collection, terms.field, terms.value`
  for (let last: StoredValue = null; ; ) {
    const rest: SQL =
      last === null
        ? sql`FROM terms WHERE ${ofOrganisation({ organisationId })}`
        : sql`FROM terms AS last CROSS JOIN terms ON terms.organisation_id = last.organisation_id
            AND (${order}) > (+last.collection, +last.field, +last.value)
          WHERE last.id = ${last}`
    const query = sql`SELECT
        terms.collection, terms.field,
        CASE typeof(terms.value) WHEN 'text' THEN 't' WHEN 'blob' THEN 'b' ELSE 'n' END,
        iif(typeof(terms.value) IN ('text', 'blob'),
          hex(terms.value), printf('%!.17g', terms.value + 0.0)),
        terms.count, terms.last, (
          SELECT group_concat(concat_ws(' ', block, count, bits0, bits1, bits2, bits3, bits4, bits5, bits6, bits7))
          FROM (SELECT * FROM bitmaps WHERE term_id = terms.id ORDER BY block)
        ), iif(terms.field LIKE '%name%' AND typeof(terms.value) = 'text', (
          SELECT group_concat(hex(word)) FROM (
            SELECT further_words.word FROM further_words
            CROSS JOIN name_words USING (organisation_id, collection, word, term_id)
            WHERE further_words.term_id = terms.id ORDER BY 1
          )
        ), NULL), terms.id
      ${rest} ORDER BY ${order} LIMIT (
        SELECT max(1, count(*)) FROM (
          SELECT sum(count) OVER (ROWS UNBOUNDED PRECEDING) AS total
          FROM (SELECT terms.count ${rest} ORDER BY ${order} LIMIT ${sql.raw(String(maxTerms))})
        ) WHERE total <= ${sql.raw(String(maxEntries))}
      )`
    const rows = await statement(d1, query).raw<StoredValue[]>()
    if (rows.length === 0) return
    yield rows.map((row) => row.slice(0, -1))
    last = rows.at(-1)?.at(-1) ?? null
  }
}
