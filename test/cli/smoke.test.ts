import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { createKey } from '../keys.ts'
import { localWorker } from './local-worker.ts'

const worker = await localWorker()

// Retries come at once, not after seconds.
const preparation = encodeURIComponent(`
  const { setTimeout } = globalThis
  globalThis.setTimeout = (act, ms) => setTimeout(act, ms <= 2000 && ms % 500 === 0 ? 0 : ms)
`)

const smoke = (base: string, key?: string) =>
  promisify(execFile)(
    process.execPath,
    ['--import', `data:text/javascript,${preparation}`, 'cli/smoke.ts', base],
    { env: { ...process.env, ...(key && { API_KEY: key }) } },
  )

test.each([
  ['smoke', 'cli/smoke.ts'],
  ['start', 'cli/start.ts'],
])('npm run %s explains itself', async (name, script) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, '--help'])
  expect(stdout).toMatch(new RegExp(`^Usage: npm (run )?${name} -- `))
  expect(stderr).toBe('')
})

test('a service that is well passes', async () => {
  const { env, organisationId, url } = worker
  const { key } = await createKey(env, organisationId, 'smoke', 'a test')
  await putSchemas(env.DB, organisationId, { members: { name: 'Member Schema', fields: [] } })
  const { stdout } = await smoke(url.origin, key)
  expect(stdout).toContain('6 of 6 responses are correct.')
  expect(stdout).not.toContain(key)
})

test('a service with an invalid setting does not pass, and the output names the setting', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const settings = { ...worker.env, AUTH_TRUSTED_EMAILS: 'yes' }
  const server = createServer(async (request, answer) => {
    const response = await app.request(request.url ?? '', {}, settings)
    answer.writeHead(response.status).end(await response.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await expect(smoke(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        'NOT OK  /readyz  503  AUTH_TRUSTED_EMAILS must be true or false.',
      ),
    })
  } finally {
    server.close()
    vi.restoreAllMocks()
  }
})

test('a service that lets everybody in does not pass', async () => {
  const server = createServer((_, answer) => answer.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await expect(smoke(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('NOT OK  /api/v1/members  200'),
    })
  } finally {
    server.close()
  }
})
