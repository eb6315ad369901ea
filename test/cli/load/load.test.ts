import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { formatReport } from '../../../bench/load/report.ts'
import { runLoad, startMigrated } from '../../../bench/load/under-load.ts'
import { bundle } from '../../../bench/workers.ts'
import { loadApiRoutes } from '../../../src/app.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = await temporaryFolder()
const root = '/api/v1'

test('a short load covers every route without errors', async () => {
  const args = ['bench/load/run.ts', '--requests', '950', '--connections', '10']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toMatch(/^950 requests in /)
  expect(stdout).toContain('\n0 errors\n')
  const routesInReport = stdout.split('\n').map((line) => line.split(/\s{2,}/)[0])
  const routes = (await loadApiRoutes()).filter(
    ({ method, path }) => method !== 'ALL' && path.startsWith(root),
  )
  for (const { method, path } of routes) {
    expect(routesInReport).toContain(`${method} ${path.slice(root.length)}`)
  }
  for (const form of ['CSV', 'NDJSON']) expect(routesInReport.join()).toContain(` as ${form},`)
}, 300_000)

// Of the load itself, so `npm run test:long` runs it.
test.runIf(process.env.MODE === 'long')(
  "the load detects another organisation's records, an accepted revoked key and a leak",
  async () => {
    const started = await startMigrated(folder, bundle(folder, 'test/cli/load/broken-worker.ts'))
    try {
      const load = { requests: 400, connections: 10 }
      const outcome = await runLoad(started, load)
      const { passed, lines } = formatReport(load, outcome)
      expect(passed).toBe(false)
      const output = [...lines, ...outcome.errors].join('\n')
      expect(output).toMatch(/ as org-1: .*"managedBy":"(org-11|Org-1)"/)
      expect(output).toContain('status 200, with invalid credentials')
      expect(output).toContain("our Worker's heap, garbage collected grew too much")
    } finally {
      await started.runtime.dispose()
    }
  },
)
