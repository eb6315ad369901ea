import { eraseReimported, readBeforeImport } from '../../src/admin/erase-person.ts'
import { openOrganisation } from '../../src/admin/open-organisation.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import type { Report } from '../terminal/report.ts'

/**
 * Imports into an organisation, and then erases again the people in the erasure ledger whom the import has
 * brought back, even if it failed. People who joined again before stay.
 */
export async function eraseAgainAfter(
  bindings: Databases,
  organisationId: string,
  importRecords: () => Promise<Report>,
): Promise<Report> {
  const storage = await openOrganisation(bindings, organisationId)
  const before = await readBeforeImport(storage, organisationId)
  const eraseAgain = () => Array.fromAsync(eraseReimported(bindings, organisationId, before))
  const report = await importRecords().catch(async (error) => {
    // The error of the import says how to go on, and its repetition erases again too.
    await eraseAgain().catch(() => {})
    throw error
  })
  const erased = (await eraseAgain()).map(({ collection, id }) => ({ collection, id }))
  if (erased.length === 0) return report
  const lines = erased.map(
    ({ collection, id }) =>
      `${collection}  ${id}  erased again: this person was erased before, and the import brought data of theirs back`,
  )
  return { ...report, json: { ...report.json, erased }, lines: [...report.lines, ...lines] }
}
