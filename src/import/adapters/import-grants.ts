import type * as z from 'zod'
import { recordRules } from '../../records/record-rules.ts'
import type { Rules } from '../../records/rules.ts'
import { type InputRecord, keepRecords, type WriteDestination } from '../../records/upsert-batch.ts'
import { collection as disbursements } from '../../resources/disbursements.ts'
import { type Fund, collection as funds } from '../../resources/funds.ts'
import { collection as applications } from '../../resources/grant-applications.ts'
import { readChunks } from '../../store/read/chunks.ts'
import { recordImport } from '../../store/settings/imports.ts'
import { ErrorCollector, type FaultGroup } from '../apply/error-groups.ts'
import { readJsonElements } from '../read/json-elements.ts'
import type { LineError, ParsedRecord, Source } from '../read/source.ts'
import {
  ImportInterruptedError,
  parseRecord,
  readUtf8,
  UnreadableFileError,
  unreadable,
} from '../read/source.ts'
import { FundTotals } from './fund-totals.ts'
import { source as publisher } from './published-grant.ts'
import {
  createGrantConverter,
  type GrantRecords,
  publishedApplicationRules,
} from './three-sixty-giving.ts'

/** How many records the valid grants of a file became, and the errors of the others. */
export type GrantsResult = {
  applications: number
  funds: number
  disbursements: number
  errors: FaultGroup[]
}

/** The organisation that receives the grants, and its databases. */
export type GrantsDestination = WriteDestination & { db: D1Database; organisationId: string }

const maxChunkGrants = 250

/** Imports a file in the 360Giving Data Standard and merges each record into the stored one. Skips invalid grants and reports them, because only the publisher can correct them. Throws ImportInterruptedError if a write fails. */
export async function importGrants(
  source: Source,
  destination: GrantsDestination,
): Promise<GrantsResult> {
  const result: GrantsResult = { applications: 0, funds: 0, disbursements: 0, errors: [] }
  const countResult = await countGrants(source)
  const errors = new ErrorCollector()
  if ('line' in countResult) {
    errors.add(countResult)
    return { ...result, errors: errors.groups }
  }
  try {
    await writeGrants(source, destination, result, errors)
  } catch (error) {
    throw new ImportInterruptedError(source.name, result.applications, countResult.grants, error)
  }
  const recordCounts = {
    [applications.name]: result.applications,
    [funds.name]: result.funds,
    [disbursements.name]: result.disbursements,
  }
  for (const [collection, records] of Object.entries(recordCounts))
    await recordImport(destination.store, collection, records)
  result.errors = errors.groups
  return result
}

type Grant = GrantRecords & { line: number }

async function writeGrants(
  source: Source,
  destination: GrantsDestination,
  result: GrantsResult,
  errors: ErrorCollector,
): Promise<void> {
  const { organisationId } = destination
  const converter = createGrantConverter(organisationId)
  const applicationRules = publishedApplicationRules(organisationId)
  const disbursementRules = recordRules(disbursements, organisationId)
  const fundRules = recordRules(funds, organisationId)
  const writeChunk = async (grants: Grant[]) => {
    const written = await mergeRecords(
      destination,
      applicationRules,
      grants.map(({ line, application }) =>
        toInputRecord(application.applicationId, application, line),
      ),
      errors,
    )
    result.applications += written.size
    const paid = grants.flatMap(({ line, application, disbursement }) =>
      disbursement && written.has(application.applicationId)
        ? [toInputRecord(disbursement.disbursementId, disbursement, line)]
        : [],
    )
    result.disbursements += (await mergeRecords(destination, disbursementRules, paid, errors)).size
  }
  let chunk: Grant[] = []
  for await (const { line, text } of readJsonElements(readUtf8(source), 'grants')) {
    const grantRecords = toGrantRecords(parseRecord(line, text), converter)
    if ('errors' in grantRecords) {
      for (const error of grantRecords.errors) errors.add({ line, ...error })
      continue
    }
    chunk.push({ line, ...grantRecords })
    if (chunk.length < maxChunkGrants) continue
    await writeChunk(chunk)
    chunk = []
  }
  await writeChunk(chunk)
  const totals = await computeFundTotals(destination)
  const writeFunds = (updates: FileRecord[]) =>
    mergeRecords(destination, fundRules, updates, errors)
  await updateFundTotals(destination, totals, writeFunds)
  const programmes = converter.funds(totals).map((fund) => toInputRecord(fund.fundId, fund))
  for (let start = 0; start < programmes.length; start += maxChunkGrants)
    result.funds += (await writeFunds(programmes.slice(start, start + maxChunkGrants))).size
}

function toGrantRecords(
  parsedRecord: ParsedRecord,
  converter: ReturnType<typeof createGrantConverter>,
) {
  if ('broken' in parsedRecord) return { errors: [unreadable(parsedRecord.broken)] }
  return converter.add(parsedRecord.value)
}

type FileRecord = InputRecord & { line: number }

// JSON drops undefined properties, so that the merge leaves their stored values.
const toInputRecord = (id: string, record: object, line = 0): FileRecord => ({
  id,
  value: JSON.parse(JSON.stringify(record)),
  line,
})

/** Merges records into the stored ones and skips records that are then invalid. Returns the ids of the others. */
async function mergeRecords(
  destination: GrantsDestination,
  rules: Rules,
  records: readonly FileRecord[],
  errors: ErrorCollector,
): Promise<Set<string>> {
  const lines = new Map(records.map(({ id, line }) => [id, line]))
  let valid = records
  while (valid.length > 0) {
    const result = await keepRecords(destination, rules, valid, { holders: () => [] })
    if (result.errors.length === 0) break
    for (const { id, ...error } of result.errors) errors.add({ line: lines.get(id) ?? 0, ...error })
    const rejected = new Set(result.errors.map(({ id }) => id))
    valid = valid.filter(({ id }) => !rejected.has(id))
  }
  return new Set(valid.map(({ id }) => id))
}

/** Sums all stored applications, because a programme may be published in several files. */
async function computeFundTotals({ db, organisationId }: GrantsDestination): Promise<FundTotals> {
  const totals = new FundTotals()
  for await (const chunk of readChunks(db, organisationId, applications.name, maxChunkGrants)) {
    for (const { document } of chunk) totals.add(JSON.parse(document))
  }
  return totals
}

/** Updates the totals of the funds of earlier files: a grant may have moved to another fund. */
async function updateFundTotals(
  { db, organisationId }: GrantsDestination,
  totals: FundTotals,
  writeFunds: (updates: FileRecord[]) => Promise<unknown>,
): Promise<void> {
  for await (const chunk of readChunks(db, organisationId, funds.name, maxChunkGrants)) {
    const published = chunk.filter(({ document }) => {
      const { external }: z.output<typeof Fund> = JSON.parse(document)
      return external.source === publisher
    })
    await writeFunds(
      published.map(({ id }) =>
        toInputRecord(id, { fundId: id, financials: totals.get(id).financials }),
      ),
    )
  }
}

/** Returns the number of grants in a file, or the error that makes it unreadable: nothing of a truncated file is imported. */
async function countGrants(source: Source): Promise<{ grants: number } | LineError> {
  let grants = 0
  try {
    for await (const _ of readJsonElements(readUtf8(source), 'grants')) grants++
  } catch (error) {
    if (error instanceof UnreadableFileError)
      return { line: error.line, ...unreadable(error.message) }
    throw error
  }
  return { grants }
}
