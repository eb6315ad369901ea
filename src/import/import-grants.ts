import type { Collection } from '../model/collection.ts'
import { collection as disbursements } from '../resources/disbursements.ts'
import { collection as funds } from '../resources/funds.ts'
import { collection as applications } from '../resources/grant-applications.ts'
import { recordImport } from '../store/imports.ts'
import { putRecords, type Written } from '../store/put.ts'
import type { Destination } from './import-file.ts'
import { jsonElements } from './json-elements.ts'
import { type FileFault, parsed, type Source, textOf, Unreadable } from './read.ts'
import { threeSixtyGiving } from './three-sixty-giving.ts'

/** What came of a published file: what its good grants became, and every fault of the others. */
export type GrantsOutcome = {
  applications: number
  funds: number
  disbursements: number
  faults: FileFault[]
}

const chunkGrants = 250

/** Imports a file in the 360Giving Data Standard. The publisher's faults are not the operator's to mend, so its good grants are kept and the others named. */
export async function importGrants(source: Source, to: Destination): Promise<GrantsOutcome> {
  const outcome: GrantsOutcome = { applications: 0, funds: 0, disbursements: 0, faults: [] }
  const grants = threeSixtyGiving(to.organisationId)
  const waiting: { applications: Written[]; disbursements: Written[] } = {
    applications: [],
    disbursements: [],
  }
  const write = async () => {
    await putRecords(to.db, to.organisationId, applications.name, waiting.applications.splice(0))
    await putRecords(to.db, to.organisationId, disbursements.name, waiting.disbursements.splice(0))
  }
  const unreadable = await readThrough(source)
  if (unreadable) return { ...outcome, faults: [unreadable] }
  for await (const { line, text } of jsonElements(textOf(source), 'grants')) {
    const read = parsed(line, text)
    const added =
      'broken' in read ? { faults: [{ field: '', reason: read.broken }] } : grants.add(read.value)
    if ('faults' in added) {
      outcome.faults.push(...added.faults.map((fault) => ({ line, ...fault })))
      continue
    }
    outcome.applications++
    waiting.applications.push(written(applications, added.application))
    if (added.disbursement) {
      outcome.disbursements++
      waiting.disbursements.push(written(disbursements, added.disbursement))
    }
    if (waiting.applications.length === chunkGrants) await write()
  }
  await write()
  const programmes = grants.funds()
  outcome.funds = programmes.length
  await putRecords(
    to.db,
    to.organisationId,
    funds.name,
    programmes.map((fund) => written(funds, fund)),
  )
  const { organisationId } = to
  const imported = {
    [applications.name]: outcome.applications,
    [funds.name]: outcome.funds,
    [disbursements.name]: outcome.disbursements,
  }
  for (const [collection, records] of Object.entries(imported)) {
    await recordImport(to.db, { organisationId, collection, records })
  }
  return outcome
}

/** Nothing is written of a file that breaks off. */
async function readThrough(source: Source): Promise<FileFault | undefined> {
  try {
    for await (const _ of jsonElements(textOf(source), 'grants'));
  } catch (error) {
    if (error instanceof Unreadable) return { line: error.line, field: '', reason: error.message }
    throw error
  }
  return undefined
}

const written = ({ id }: Collection, record: Record<string, unknown>): Written => ({
  id: String(record[id]),
  document: JSON.stringify(record),
})
