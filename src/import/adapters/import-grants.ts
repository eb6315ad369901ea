import type * as z from 'zod'
import type { Author } from '../../model/author.ts'
import type { Collection } from '../../model/collection.ts'
import { checkSize } from '../../records/size-limits.ts'
import { collection as disbursements } from '../../resources/disbursements.ts'
import { type Fund, collection as funds } from '../../resources/funds.ts'
import { collection as applications } from '../../resources/grant-applications.ts'
import { recordImport } from '../../store/imports.ts'
import { recordsInChunks } from '../../store/read/chunks.ts'
import { type NewDocument, putRecords } from '../../store/write/put.ts'
import { ErrorCollector, type FaultGroup } from '../faults.ts'
import { readJsonElements } from '../read/json-elements.ts'
import {
  ImportInterruptedError,
  type LineError,
  type ParsedRecord,
  parseRecord,
  readUtf8,
  type Source,
  UnreadableFileError,
} from '../read.ts'
import { FundTotals } from './fund-totals.ts'
import { source as publisher } from './published-grant.ts'
import { createGrantConverter } from './three-sixty-giving.ts'

/** What came of a published file: what its good grants became, and every fault of the others. */
export type GrantsResult = {
  applications: number
  funds: number
  disbursements: number
  errors: FaultGroup[]
}

/** Where the records go. */
export type GrantsDestination = { db: D1Database; organisationId: string }

const maxChunkGrants = 250

const author: Author = { by: 'command line', through: 'import' }

/** Imports a file in the 360Giving Data Standard. The publisher's errors are not the operator's to mend, so its good grants are kept and the others named. Throws Interrupted when it cannot go on. */
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
  const written = { grants: 0 }
  try {
    await writeGrants(source, destination, result, errors, written)
  } catch (error) {
    throw new ImportInterruptedError(source.name, written.grants, countResult.grants, error)
  }
  const { organisationId } = destination
  const recordCounts = {
    [applications.name]: result.applications,
    [funds.name]: result.funds,
    [disbursements.name]: result.disbursements,
  }
  for (const [collection, records] of Object.entries(recordCounts)) {
    await recordImport(destination.db, { organisationId, collection, records })
  }
  result.errors = errors.groups
  return result
}

async function writeGrants(
  source: Source,
  destination: GrantsDestination,
  result: GrantsResult,
  errors: ErrorCollector,
  written: { grants: number },
): Promise<void> {
  const grants = createGrantConverter(destination.organisationId)
  const pending: { applications: NewDocument[]; disbursements: NewDocument[] } = {
    applications: [],
    disbursements: [],
  }
  const writeRecords = (name: string, records: NewDocument[]) =>
    putRecords(destination.db, destination.organisationId, name, records, author)
  const flush = async () => {
    await writeRecords(applications.name, pending.applications.splice(0))
    await writeRecords(disbursements.name, pending.disbursements.splice(0))
    written.grants = result.applications
  }
  for await (const { line, text } of readJsonElements(readUtf8(source), 'grants')) {
    const grantRecords = toGrantRecords(parseRecord(line, text), grants)
    if ('errors' in grantRecords) {
      for (const error of grantRecords.errors) errors.add({ line, ...error })
      continue
    }
    result.applications++
    pending.applications.push(grantRecords.application)
    if (grantRecords.disbursement) {
      result.disbursements++
      pending.disbursements.push(grantRecords.disbursement)
    }
    if (pending.applications.length === maxChunkGrants) await flush()
  }
  await flush()
  const totals = await computeFundTotals(destination)
  const programmes = grants.funds(totals)
  result.funds = programmes.length
  await writeRecords(funds.name, await updateFundTotals(destination, totals))
  await writeRecords(
    funds.name,
    programmes.map((fund) => toDocument(funds, fund)),
  )
}

/** The records of a grant as they are kept, or its errors. */
function toGrantRecords(
  parsedRecord: ParsedRecord,
  grants: ReturnType<typeof createGrantConverter>,
) {
  if ('broken' in parsedRecord) return { errors: [{ field: '', message: parsedRecord.broken }] }
  const grantRecords = grants.add(parsedRecord.value)
  if ('errors' in grantRecords) return grantRecords
  const application = checkSize(grantRecords.application.applicationId, grantRecords.application)
  if ('errors' in application) return application
  const disbursement =
    grantRecords.disbursement && toDocument(disbursements, grantRecords.disbursement)
  return { application: application.value, disbursement }
}

/** The totals of every fund, by all the applications there are: a programme may be published in many files. */
async function computeFundTotals({ db, organisationId }: GrantsDestination): Promise<FundTotals> {
  const totals = new FundTotals()
  for await (const chunk of recordsInChunks(
    db,
    organisationId,
    applications.name,
    maxChunkGrants,
  )) {
    for (const { document } of chunk) totals.add(JSON.parse(document))
  }
  return totals
}

/** The funds of files before with their totals as they are now: a grant may have moved to another. */
async function updateFundTotals({ db, organisationId }: GrantsDestination, totals: FundTotals) {
  const updatedFunds: NewDocument[] = []
  for await (const chunk of recordsInChunks(db, organisationId, funds.name, maxChunkGrants)) {
    for (const { id, document } of chunk) {
      const fund: z.output<typeof Fund> = JSON.parse(document)
      if (fund.external.source !== publisher) continue
      const financials = { ...fund.financials, ...totals.get(id).financials }
      updatedFunds.push(toDocument(funds, { ...fund, financials }))
    }
  }
  return updatedFunds
}

/** How many grants a file has, or why it cannot be read: nothing is written of one that breaks off. */
async function countGrants(source: Source): Promise<{ grants: number } | LineError> {
  let grants = 0
  try {
    for await (const _ of readJsonElements(readUtf8(source), 'grants')) grants++
  } catch (error) {
    if (error instanceof UnreadableFileError)
      return { line: error.line, field: '', message: error.message }
    throw error
  }
  return { grants }
}

const toDocument = ({ id }: Collection, record: Record<string, unknown>): NewDocument => ({
  id: String(record[id]),
  document: JSON.stringify(record),
})
