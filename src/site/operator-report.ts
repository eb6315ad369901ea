import { Buffer } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm/sql'
import type { Bindings, DatabaseName } from '../platform/bindings.ts'
import { sha256 } from '../platform/sha256.ts'
import { listDatabases } from '../store/databases.ts'
import { percentOfMaxSize } from '../store/sizes.ts'
import { statement } from '../store/statement.ts'

const dayMs = 86_400_000

/** The largest organisations of a database that a report lists. */
const maxOrganisations = 1000

/** The minimum length of OPERATOR_TOKEN. */
export const minTokenLength = 32

/** Returns whether a token is the operator's, in constant time; false if OPERATOR_TOKEN is missing or too short. */
export async function isOperatorToken(
  { OPERATOR_TOKEN: expected = '' }: Pick<Bindings, 'OPERATOR_TOKEN'>,
  token: string,
): Promise<boolean> {
  const [a, b] = await Promise.all([sha256(expected), sha256(token)])
  return expected.length >= minTokenLength && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** An organisation as the operator sees it: sizes and rows, no personal data. */
type OrganisationReport = {
  organisation: string
  /** The size at the last measurement; `measured` is '' before the first. */
  records: number
  documentBytes: number
  measured: string
  /** The rows that the database read for the organisation's keys. */
  rowsReadToday: number
  rowsReadYesterday: number
  movingTo: DatabaseName | null
}

/** Describes every database with records: its size, its webhooks that are disabled and its largest organisations. */
export const reportDatabases = (env: Bindings, now: number) =>
  Promise.all(
    listDatabases(env).map(async ([database, d1]) => {
      const report = await reportDatabase(d1, now).catch(() => undefined)
      return { database, isReachable: report !== undefined, ...report }
    }),
  )

async function reportDatabase(d1: D1Database, now: number) {
  const rowsReadOn = (time: number) => sql`(
    SELECT coalesce(sum(rows_read), 0) FROM key_usage
    WHERE organisation_id = organisations.id AND day = ${new Date(time).toISOString().slice(0, 10)}
  )`
  const organisations = statement(
    d1,
    sql`SELECT id AS organisation, records, document_bytes AS documentBytes, measured,
      ${rowsReadOn(now)} AS rowsReadToday, ${rowsReadOn(now - dayMs)} AS rowsReadYesterday,
      moving_to AS movingTo
      FROM organisations WHERE database IS NULL
      ORDER BY document_bytes DESC, id LIMIT ${maxOrganisations}`,
  ).all<OrganisationReport>()
  const webhooks = statement(
    d1,
    sql`SELECT count(*) AS disabled FROM webhooks WHERE state = 'disabled'`,
  ).first<number>('disabled')
  const [{ results, meta }, disabledWebhooks] = await Promise.all([organisations, webhooks])
  const sizeBytes = meta.size_after
  return {
    sizeBytes,
    percentOfMaxSize: percentOfMaxSize(sizeBytes),
    disabledWebhooks: disabledWebhooks ?? 0,
    organisations: results,
  }
}
