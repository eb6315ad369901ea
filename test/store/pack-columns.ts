import { packNextOrganisation } from '../../src/store/summary/pack-columns.ts'
import { packedFieldNames } from '../../src/store/summary/packed-fields.ts'

/** More records than any organisation of the tests has. */
const minRecords = 10_000_000

/** Runs the schedule's packing for one organisation, of any size, at most so many times, until it is done. */
export async function packColumns(
  d1: D1Database,
  organisationId: string,
  { maxRuns = Number.POSITIVE_INFINITY, maxRecords = 5000, maxPacks = 100 } = {},
): Promise<void> {
  const setRecords = (records: number) =>
    d1
      .prepare('UPDATE organisations SET records = ? WHERE id = ?')
      .bind(records, organisationId)
      .run()
  await setRecords(minRecords)
  for (let run = 0; run < maxRuns && (await countBehind(d1, organisationId)) > 0; run++)
    await packNextOrganisation(d1, { minRecords, minChanges: 1, maxRecords, maxPacks })
  await setRecords(0)
}

/** The number of versions by which the packs of an organisation are behind. */
const countBehind = async (d1: D1Database, organisationId: string) =>
  (await d1
    .prepare(`SELECT organisations.version - coalesce(packed_organisations.version, -1) AS behind
      FROM organisations LEFT JOIN packed_organisations ON organisation_id = id AND fields = ?
      WHERE id = ?`)
    .bind(packedFieldNames, organisationId)
    .first<number>('behind')) ?? 0
