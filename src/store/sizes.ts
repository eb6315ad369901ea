import { sql } from 'drizzle-orm/sql'
import type { DatabaseName } from '../platform/bindings.ts'
import { formatNumber } from '../platform/format-number.ts'
import { logWarning } from '../platform/log.ts'
import { ofOrganisation } from './fragments.ts'
import { statement } from './statement.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

const maxDatabaseBytes = 10_000_000_000

/** The progress of a measurement: the last version that it read. */
type Progress = { version: number; records: number; bytes: number }

/** The size of an organisation: the bytes of its records' documents, without their index, history and previous versions. */
export type OrganisationSize = {
  records: number
  documentBytes: number
  /** The time of the measurement; '' before the first. */
  measured: string
}

/**
 * Measures the organisation of a database with the oldest measurement, if that is a day ago
 * at `now`, in milliseconds. Reads at most `maxRecords`: a larger organisation continues with the
 * next call, and a record that changes in between counts twice.
 */
export async function measureNextOrganisation(
  d1: D1Database,
  now: number,
  maxRecords = 20_000,
): Promise<void> {
  const next = await findNext(d1, new Date(now - dayMs).toISOString())
  if (!next) return
  const progress: Progress = next.measuring
    ? JSON.parse(next.measuring)
    : { version: -1, records: 0, bytes: 0 }
  const part = await readPart(d1, next.id, progress.version, maxRecords)
  const [records, bytes] = [progress.records + part.records, progress.bytes + part.bytes]
  const update =
    part.records < maxRecords
      ? sql`records = ${records}, document_bytes = ${bytes},
          measured = ${new Date(now).toISOString()}, measuring = NULL`
      : sql`measuring = ${JSON.stringify({ version: part.version, records, bytes })}`
  const query = sql`UPDATE organisations SET ${update} WHERE id = ${next.id}`
  await statement(d1, query).run()
}

/** The last measured size of an organisation in its own database; undefined for an unknown one. */
export async function readSize(
  d1: D1Database,
  organisationId: string,
): Promise<OrganisationSize | undefined> {
  const query = sql`SELECT records, document_bytes AS documentBytes, measured
    FROM organisations WHERE id = ${organisationId}`
  return (await statement(d1, query).first<OrganisationSize>()) ?? undefined
}

/** The percentage of D1's maximum size that a database of this many bytes has reached. */
export const percentOfMaxSize = (sizeBytes: number): number =>
  Math.round((1000 * sizeBytes) / maxDatabaseBytes) / 10

/** Logs a database that is 70 % full, once an hour of `now`, in milliseconds. D1 refuses writes to a full one. */
export function warnOfSize(database: DatabaseName, sizeBytes: number, now: number): void {
  const percent = percentOfMaxSize(sizeBytes)
  const isFullHour = Math.floor(now / minuteMs) % 60 === 0
  if (isFullHour && percent >= 70) logWarning('database-size', { database, sizeBytes, percent })
}

/** Describes a size in words. */
export const describeSize = ({ records, documentBytes, measured }: OrganisationSize): string =>
  measured === ''
    ? 'The size has not been measured yet.'
    : `records ${formatNumber(records)}, documents ${formatNumber(Math.ceil(documentBytes / 1_000_000))} MB, measured ${measured}`

const findNext = (d1: D1Database, before: string) =>
  statement(
    d1,
    sql`SELECT id, measuring FROM organisations WHERE measured < ${before} ORDER BY measured LIMIT 1`,
  ).first<{ id: string; measuring: string | null }>()

async function readPart(
  d1: D1Database,
  organisationId: string,
  after: number,
  maxRecords: number,
): Promise<Progress> {
  const query = sql`SELECT count(*) AS records, coalesce(sum(bytes), 0) AS bytes, max(version) AS version
    FROM (
      SELECT version, octet_length(document) AS bytes FROM records
      WHERE ${ofOrganisation({ organisationId })} AND version > ${after}
      ORDER BY version LIMIT ${maxRecords}
    )`
  const part = await statement(d1, query).first<Progress>()
  return part ?? { version: after, records: 0, bytes: 0 }
}
