import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLocalToken, readLocalJwks } from '../../cli/state/local-tokens.ts'
import { localClaims } from '../../src/auth/local.ts'
import { localWorker } from './local-worker.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()
const jwks = await readLocalJwks(folder)

test('the signing key stays the same, and only its owner can read it', async () => {
  expect(await readLocalJwks(folder)).toBe(jwks)
  const file = join(folder, 'local-signing-key.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { d } = JSON.parse(await readFile(file, 'utf8'))
  expect(d).toMatch(/^[\w-]{43}$/)
  expect(jwks).not.toContain(d)
})

test("the local Worker accepts the machine's tokens where the machine itself asks, and nowhere else", async () => {
  const worker = await localWorker()
  const token = await createLocalToken(worker.folder, localClaims.administrator)
  const headers = { Authorization: `Bearer ${token}` }
  const path = `/api/v1/events?organisationId=${worker.organisationId}`
  const statusAt = async (url: string) =>
    (await worker.fetch(new URL(path, url).href, { headers })).status
  for (const url of [worker.url.href, 'http://127.0.0.1:8787', 'http://localhost'])
    expect([url, await statusAt(url)]).toEqual([url, 200])
  for (const url of ['https://data.example.org', 'http://192.168.1.7', 'http://localhost.example'])
    expect([url, await statusAt(url)]).toEqual([url, 401])
})
