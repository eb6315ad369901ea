import type * as z from 'zod'
import type { Author } from '../model/author.ts'
import type { Collection } from '../model/collection.ts'
import { asWritten } from '../records/bounds.ts'
import { collection as disbursements } from '../resources/disbursements.ts'
import { type Fund, collection as funds } from '../resources/funds.ts'
import { collection as applications } from '../resources/grant-applications.ts'
import { recordsInChunks } from '../store/chunks.ts'
import { recordImport } from '../store/imports.ts'
import { putRecords, type Written } from '../store/put.ts'
import { type FaultGroup, Faults } from './faults.ts'
import { FundTotals } from './fund-totals.ts'
import { jsonElements } from './json-elements.ts'
import { source as publisher } from './published-grant.ts'
import {
  type FileFault,
  Interrupted,
  parsed,
  type Read,
  type Source,
  textOf,
  Unreadable,
} from './read.ts'
import { threeSixtyGiving } from './three-sixty-giving.ts'

/** What came of a published file: what its good grants became, and every fault of the others. */
export type GrantsOutcome = {
  applications: number
  funds: number
  disbursements: number
  faults: FaultGroup[]
}

/** Where the records go. */
export type Destination = { db: D1Database; organisationId: string }

const chunkGrants = 250

const author: Author = { by: 'command line', through: 'import' }

/** Imports a file in the 360Giving Data Standard. The publisher's faults are not the operator's to mend, so its good grants are kept and the others named. Throws Interrupted when it cannot go on. */
export async function importGrants(source: Source, to: Destination): Promise<GrantsOutcome> {
  const outcome: GrantsOutcome = { applications: 0, funds: 0, disbursements: 0, faults: [] }
  const read = await readThrough(source)
  const faults = new Faults()
  if ('line' in read) {
    faults.add(read)
    return { ...outcome, faults: faults.groups }
  }
  const kept = { grants: 0 }
  try {
    await keepGrants(source, to, outcome, faults, kept)
  } catch (error) {
    throw new Interrupted(source.name, kept.grants, read.grants, error)
  }
  const { organisationId } = to
  const imported = {
    [applications.name]: outcome.applications,
    [funds.name]: outcome.funds,
    [disbursements.name]: outcome.disbursements,
  }
  for (const [collection, records] of Object.entries(imported)) {
    await recordImport(to.db, { organisationId, collection, records })
  }
  outcome.faults = faults.groups
  return outcome
}

async function keepGrants(
  source: Source,
  to: Destination,
  outcome: GrantsOutcome,
  faults: Faults,
  kept: { grants: number },
): Promise<void> {
  const grants = threeSixtyGiving(to.organisationId)
  const waiting: { applications: Written[]; disbursements: Written[] } = {
    applications: [],
    disbursements: [],
  }
  const put = (name: string, records: Written[]) =>
    putRecords(to.db, to.organisationId, name, records, author)
  const write = async () => {
    await put(applications.name, waiting.applications.splice(0))
    await put(disbursements.name, waiting.disbursements.splice(0))
    kept.grants = outcome.applications
  }
  for await (const { line, text } of jsonElements(textOf(source), 'grants')) {
    const added = recordsOf(parsed(line, text), grants)
    if ('faults' in added) {
      for (const fault of added.faults) faults.add({ line, ...fault })
      continue
    }
    outcome.applications++
    waiting.applications.push(added.application)
    if (added.disbursement) {
      outcome.disbursements++
      waiting.disbursements.push(added.disbursement)
    }
    if (waiting.applications.length === chunkGrants) await write()
  }
  await write()
  const totals = await totalsOf(to)
  const programmes = grants.funds(totals)
  outcome.funds = programmes.length
  await put(funds.name, await withTotals(to, totals))
  await put(
    funds.name,
    programmes.map((fund) => written(funds, fund)),
  )
}

/** The records of a grant as they are kept, or its faults. */
function recordsOf(read: Read, grants: ReturnType<typeof threeSixtyGiving>) {
  if ('broken' in read) return { faults: [{ field: '', reason: read.broken }] }
  const added = grants.add(read.value)
  if ('faults' in added) return added
  const application = asWritten(added.application.applicationId, added.application)
  if ('faults' in application) return application
  const disbursement = added.disbursement && written(disbursements, added.disbursement)
  return { application: application.kept, disbursement }
}

/** The totals of every fund, by all the applications there are: a programme may be published in many files. */
async function totalsOf({ db, organisationId }: Destination): Promise<FundTotals> {
  const totals = new FundTotals()
  for await (const chunk of recordsInChunks(db, organisationId, applications.name, chunkGrants)) {
    for (const { document } of chunk) totals.add(JSON.parse(document))
  }
  return totals
}

/** The funds of files before with their totals as they are now: a grant may have moved to another. */
async function withTotals({ db, organisationId }: Destination, totals: FundTotals) {
  const changed: Written[] = []
  for await (const chunk of recordsInChunks(db, organisationId, funds.name, chunkGrants)) {
    for (const { id, document } of chunk) {
      const fund: z.output<typeof Fund> = JSON.parse(document)
      if (fund.external.source !== publisher) continue
      const financials = { ...fund.financials, ...totals.of(id).financials }
      changed.push(written(funds, { ...fund, financials }))
    }
  }
  return changed
}

/** How many grants a file has, or why it cannot be read: nothing is written of one that breaks off. */
async function readThrough(source: Source): Promise<{ grants: number } | FileFault> {
  let grants = 0
  try {
    for await (const _ of jsonElements(textOf(source), 'grants')) grants++
  } catch (error) {
    if (error instanceof Unreadable) return { line: error.line, field: '', reason: error.message }
    throw error
  }
  return { grants }
}

const written = ({ id }: Collection, record: Record<string, unknown>): Written => ({
  id: String(record[id]),
  document: JSON.stringify(record),
})
