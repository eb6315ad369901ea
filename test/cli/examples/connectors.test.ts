import { describe, expect, test } from 'vitest'
import { airbytePulls } from './airbyte.ts'
import { type Pull, readPages, runPull } from './connectors.ts'
import { dltPulls, dltRow } from './dlt.ts'
import { isInstalled, serveExamples } from './served.ts'

const { organisation, env } = await serveExamples()

describe.each([
  {
    tool: 'Airbyte',
    missing: false,
    pullsOf: () => airbytePulls({ api_url: env.API_URL, api_key: env.API_KEY }),
  },
  {
    tool: 'dlt',
    missing: !isInstalled('python3'),
    pullsOf: () => dltPulls(env),
  },
])('$tool', ({ missing, pullsOf }) => {
  test.skipIf(missing)('brings every record, and the next time what changed', async () => {
    await organisation.age()
    const [pulls, truth] = [await pullsOf(), await organisation.truth()]
    const latest = new Map<Pull, Record<string, unknown> | undefined>()
    for (const pull of pulls) {
      const rows = await runPull(pull, undefined)
      expect(idsOf(pull, rows), pull.name).toEqual([...(truth.get(pull.name)?.keys() ?? [])].sort())
      latest.set(pull, latestOf(pull, rows))
    }
    expect(pulls.map(({ name }) => name)).toEqual([...truth.keys()])

    const changed = new Map(Object.entries(await organisation.changeTwenty()))
    for (const pull of pulls) {
      const last = latest.get(pull)
      const rows = await runPull(pull, String(last?.[pull.cursor.field]))
      const again = new Set([...(changed.get(pull.name) ?? []), String(last?.[pull.id])])
      expect(idsOf(pull, rows), pull.name).toEqual([...again].sort())
    }
  })
})

test('Airbyte: the columns are those of the records', async () => {
  const pulls = await airbytePulls({ api_url: env.API_URL, api_key: env.API_KEY })
  for (const pull of pulls) {
    const { value: [row = {}] = [] } = await readPages(pull).next()
    // A profile is the member's, and each member of a list tells the schema.
    const { profile, schemaInfo, ...visible } = row
    expect(pull.columns.sort(), pull.name).toEqual(Object.keys(visible).sort())
  }
})

test.skipIf(!isInstalled('python3'))("dlt: people's fields are columns", async () => {
  const field = { key: 'Full Name', label: 'Name', value: 'Ada Example', type: 'text' }
  const member = { memberId: 'm-1', fields: [field], schemaInfo: {} }
  expect(await dltRow(member, env)).toEqual({
    memberId: 'm-1',
    'Full Name': 'Ada Example',
  })
})

/** Returns the row that changed last: a list with cursors is in order of arrival. */
const latestOf = ({ cursor: { field } }: Pull, rows: Record<string, unknown>[]) =>
  rows.reduce((latest, row) => (String(row[field]) > String(latest[field]) ? row : latest))

const idsOf = (pull: Pull, rows: Record<string, unknown>[]) =>
  rows.map((row) => String(row[pull.id])).sort()
