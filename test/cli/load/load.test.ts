import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { report } from '../../../bench/load/report.ts'
import { startMigrated } from '../../../bench/load/start-migrated.ts'
import { underLoad } from '../../../bench/load/under-load.ts'
import { bundle } from '../../../bench/workers.ts'
import { apiRoutes } from '../../../src/app.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = await temporaryFolder()
const root = '/api/v1'

test('a short load of every route ends well', async () => {
  const args = ['bench/load/run.ts', '--requests', '700', '--connections', '10']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toMatch(/^700 requests in /)
  expect(stdout).toContain('\n0 errors\n')
  const asked = stdout.split('\n').map((line) => line.split(/\s{2,}/)[0])
  const routes = (await apiRoutes()).filter(
    ({ method, path }) => method !== 'ALL' && path.startsWith(root),
  )
  for (const { method, path } of routes) {
    expect(asked).toContain(`${method} ${path.slice(root.length)}`)
  }
  for (const form of ['CSV', 'NDJSON']) expect(asked.join()).toContain(` as ${form},`)
})

test("a load finds another organisation's records, a revoked key let in, and a leak", async () => {
  const started = await startMigrated(folder, bundle(folder, 'test/cli/load/broken-worker.ts'))
  try {
    const load = { requests: 400, connections: 10 }
    const outcome = await underLoad(started, load)
    const { isGood, lines } = report(load, outcome)
    expect(isGood).toBe(false)
    const found = [...lines, ...outcome.errors].join('\n')
    expect(found).toMatch(/ as org-1: .*"managedBy":"(org-11|Org-1)"/)
    expect(found).toContain('status 200, with credentials that are not good')
    expect(found).toContain("our Worker's heap, garbage collected grew too much")
  } finally {
    await started.runtime.dispose()
  }
})
