import { measured } from './measured.ts'
import { type Meter, planUsd, prices } from './prices.ts'

/** The size of an installation: organisations, members of each, and requests a day by all organisations together. */
export type Installation = { organisations: number; members: number; requests: number }

/** The assumptions of a bill, besides the measured figures. */
export const assumptions = {
  daysPerMonth: 30,
  changesPerMemberAndMonth: 1,
  webhooksPerOrganisation: 1,
  requestsPerNewIsolate: 100,
  requestsPerRefusal: 100,
  newKeysPerOrganisationAndMonth: 1,
  /** Cloudflare adds its own fields to each line. */
  bytesAddedToLogLine: 1750,
  daysOfLogs: 7,
  /** A message is written, read and deleted. */
  queueOperationsPerMessage: 3,
  cpuMsPerScheduledRun: 10,
  rowsReadPerScheduledRun: 100,
  rowsReadPerScheduledRunAndWebhook: 10,
  /** For each changed record. A run writes at most 100 packs of each of three fields, after 1,000 changes or more. */
  rowsReadPerPackedRecord: 5,
  rowsWrittenPerPackedRecord: 0.3,
  /** The postcode directory, loaded once a month, has a tenth as many rows as postcodes. */
  bytesOfDirectory: 74_000_000,
  rowsWrittenPerDirectory: 300_000,
}

const bytesPerGb = 1_000_000_000

/** The most that an installation uses in a month. In its `first` month all members are loaded. */
export function estimateUsage(
  { organisations, members, requests }: Installation,
  month: 'first' | 'later',
): Record<Meter, number> {
  const it = { ...measured, ...assumptions }
  const records = organisations * members
  const loaded = month === 'first' ? records : 0
  const reads = requests * it.daysPerMonth
  const changes = records * it.changesPerMemberAndMonth
  const webhooks = organisations * it.webhooksPerOrganisation
  const messages = changes * it.webhooksPerOrganisation
  const runs = it.daysPerMonth * 24 * 60
  // The consumer of the queue runs once for each change at most.
  const invocations = reads + changes + changes + runs
  const logGb =
    ((reads / it.requestsPerRefusal) *
      it.logLinesPerRefusal *
      (it.bytesPerLogLine + it.bytesAddedToLogLine)) /
    bytesPerGb
  return {
    requests: invocations,
    cpuMs:
      reads * it.cpuMsPerPage +
      ((reads + changes) / it.requestsPerNewIsolate) * it.cpuMsPerIsolate +
      changes * it.cpuMsPerChange +
      messages * it.cpuMsPerPage +
      runs * it.cpuMsPerScheduledRun,
    rowsRead:
      reads * (it.rowsReadPerPage + members * it.rowsReadPerPageAndMember) +
      loaded * it.rowsReadPerLoadedRecord +
      changes * it.rowsReadPerChange +
      messages * it.rowsReadPerMessage +
      records * it.daysPerMonth * it.rowsReadPerMeasuredRecord +
      (loaded + changes) * it.rowsReadPerPackedRecord +
      runs * (it.rowsReadPerScheduledRun + webhooks * it.rowsReadPerScheduledRunAndWebhook),
    rowsWritten:
      loaded * it.rowsWrittenPerLoadedRecord +
      (reads + changes) * it.rowsWrittenPerUse +
      changes * it.rowsWrittenPerChange +
      messages * it.rowsWrittenPerMessage +
      (loaded + changes) * it.rowsWrittenPerPackedRecord +
      it.rowsWrittenPerDirectory,
    storageGb:
      (records * it.bytesPerRecord + changes * it.bytesPerChange + it.bytesOfDirectory) /
      bytesPerGb,
    // Each request may reach another isolate.
    kvReads: (reads + changes) * it.kvReadsPerKey,
    kvWrites: organisations * it.newKeysPerOrganisationAndMonth,
    queueOperations: changes * it.queueOperationsPerMessage,
    logGb,
    logStorageGb: (logGb * it.daysOfLogs) / it.daysPerMonth,
  }
}

type BillLine = { meter: Meter; used: number; usd: number }

/** A month's bill in US dollars, each amount rounded to cents. */
export type Bill = { lines: BillLine[]; totalUsd: number }

/** The bill for a month's usage. */
export function priceUsage(usage: Record<Meter, number>): Bill {
  const lines = Object.entries(prices).map(([name, { included, usd, per }]) => {
    const meter = name as Meter
    const charged = Math.max(0, usage[meter] - included)
    return { meter, used: usage[meter], usd: roundToCents((charged / per) * usd) }
  })
  return { lines, totalUsd: roundToCents(lines.reduce((sum, { usd }) => sum + usd, planUsd)) }
}

const roundToCents = (usd: number) => Math.round(usd * 100) / 100
