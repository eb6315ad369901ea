import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localJwks, localToken } from '../../cli/state/local-tokens.ts'
import { local } from '../../src/auth/local.ts'
import { startDeployedWorker, startLocalWorker } from './local-worker.ts'

type Worker = Awaited<ReturnType<typeof startLocalWorker>>

const folder = await mkdtemp(join(tmpdir(), 'local-tokens-'))
const deployed = join(folder, 'deployed')
const wrangler = 'node_modules/wrangler/bin/wrangler.js'
let jwks: string

beforeAll(async () => {
  jwks = await localJwks(folder)
  await promisify(execFile)(process.execPath, [
    wrangler,
    'deploy',
    '--dry-run',
    '--outdir',
    deployed,
  ])
})
afterAll(() => rm(folder, { recursive: true }))

async function statusAt(worker: Worker, url: string) {
  const headers = { Authorization: `Bearer ${await localToken(folder, local.administrator)}` }
  const path = `/api/v1/events?organisationId=${worker.organisationId}`
  return (await worker.fetch(new URL(path, url).href, { headers })).status
}

test('the signing key stays the same, and only its owner can read it', async () => {
  expect(await localJwks(folder)).toBe(jwks)
  const file = join(folder, 'local-signing-key.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { d } = JSON.parse(await readFile(file, 'utf8'))
  expect(d).toMatch(/^[\w-]{43}$/)
  expect(jwks).not.toContain(d)
})

test("the local Worker accepts the machine's tokens where the machine itself asks, and nowhere else", async () => {
  const worker = await startLocalWorker(jwks)
  try {
    for (const url of [worker.url.href, 'http://127.0.0.1:8787', 'http://localhost'])
      expect([url, await statusAt(worker, url)]).toEqual([url, 200])
    for (const url of [
      'https://data.example.org',
      'http://192.168.1.7',
      'http://localhost.example',
    ])
      expect([url, await statusAt(worker, url)]).toEqual([url, 401])
  } finally {
    await worker.close()
  }
})

test('what is deployed accepts no local token, whatever its variables are', async () => {
  const variables: Record<string, string>[] = [
    { LOCAL_JWKS: jwks },
    { LOCAL_JWKS: jwks, AUTH_ISSUER: local.issuer, AUTH_AUDIENCE: local.audience, AUTH_JWKS: jwks },
    { LOCAL_JWKS: jwks, localProvider: jwks, 'Symbol(local provider)': jwks },
  ]
  for (const vars of variables) {
    const worker = await startDeployedWorker(deployed, vars)
    try {
      expect(await statusAt(worker, worker.url.href)).not.toBe(200)
      expect(await statusAt(worker, 'https://data.example.org')).not.toBe(200)
    } finally {
      await worker.close()
    }
  }
})

test('what is deployed holds nothing of local tokens', async () => {
  const bundle = (await readdir(deployed)).filter((name) => name.endsWith('.js'))
  expect(bundle).toEqual(['index.js'])
  const code = await readFile(join(deployed, 'index.js'), 'utf8')
  expect(code).toContain('x-api-key')
  for (const trace of ['LOCAL_JWKS', ...Object.values(local)]) expect(code).not.toContain(trace)
})
