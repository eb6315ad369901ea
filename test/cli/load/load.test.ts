import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { formatReport } from '../../../bench/load/report.ts'
import { runLoad, startMigrated } from '../../../bench/load/under-load.ts'
import { bundle } from '../../../bench/workers.ts'
import { loadApiRoutes } from '../../../src/app.ts'
import { loadCollections } from '../../../src/resources/collections.ts'
import { bundledScript } from '../bundled-worker.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = await temporaryFolder()
const brokenFolder = await temporaryFolder()
const root = '/api/v1'
const isLong = process.env.MODE === 'long'

/** Runs a load of requests over ten connections on a Worker, with its databases in an empty folder. */
async function load(folder: string, script: string, requests: number) {
  // The Worker logs every request that it refuses.
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const started = await startMigrated(folder, script)
  try {
    const size = { requests, connections: 10 }
    const outcome = await runLoad(started, size)
    return { ...formatReport(size, outcome), errors: outcome.errors }
  } finally {
    await started.runtime.dispose()
    log.mockRestore()
  }
}

test('a short load reads and writes every collection without errors', async () => {
  const { lines } = await load(folder, bundledScript('src/index.ts'), 300)
  expect(lines[0]).toMatch(/^300 requests in /)
  expect(lines).toContain('0 errors')
  const routesInReport = lines.map((line) => line.split(/\s{2,}/)[0])
  for (const { name, id } of await loadCollections())
    expect(routesInReport).toEqual(expect.arrayContaining([`GET /${name}`, `PUT /${name}/:${id}`]))
  for (const form of ['CSV', 'NDJSON']) expect(routesInReport.join()).toContain(` as ${form},`)
})

test.runIf(isLong)("the program's load covers every route without errors", async () => {
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
})

// Of the load itself, so `npm run test:long` runs it.
test.runIf(isLong)(
  "the load detects another organisation's records, an accepted revoked key and a leak",
  async () => {
    const script = bundle(brokenFolder, 'test/cli/load/broken-worker.ts')
    const { passed, lines, errors } = await load(brokenFolder, script, 400)
    expect(passed).toBe(false)
    const output = [...lines, ...errors].join('\n')
    expect(output).toMatch(/ as org-1: .*"managedBy":"(org-11|Org-1)"/)
    expect(output).toContain('status 200, with invalid credentials')
    expect(output).toContain("our Worker's heap, garbage collected grew too much")
  },
)
