import { execFile, execFileSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import vm from 'node:vm'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey } from '../../../src/auth/key-acts.ts'
import { putRecords } from '../../../src/store/put.ts'
import { putSchemas } from '../../../src/store/schemas.ts'
import { startLocalWorker } from '../local-worker.ts'

const run = promisify(execFile)

// More than two pages of 250.
const number = 501
const names = Array.from({ length: number }, (_, index) => `Member ${index + 1}`)

let worker: Awaited<ReturnType<typeof startLocalWorker>>
let env: NodeJS.ProcessEnv & { API_URL: string; API_KEY: string }

beforeAll(async () => {
  worker = await startLocalWorker('')
  const { env: bindings, organisationId, url } = worker
  const field = (id: string, type: 'text' | 'tags', order: number) => ({
    id,
    name: id,
    label: id,
    type,
    order,
  })
  const fields = [field('Full Name', 'text', 0), field('Interests', 'tags', 1)]
  await putSchemas(bindings.DB, organisationId, { members: { name: 'Member Schema', fields } })
  await putRecords(
    bindings.DB,
    organisationId,
    'members',
    names.map((name, index) => {
      const id = `m-${index + 1}`
      const values = { 'Full Name': name, ...(index === 0 && { Interests: ['Tea', 'Maps'] }) }
      return { id, document: JSON.stringify({ memberId: id, ...values }) }
    }),
  )
  const { key } = await createKey(bindings, organisationId, 'examples', 'a test')
  env = { ...process.env, API_URL: `${url.origin}/api/v1`, API_KEY: key }
})

afterAll(() => worker?.close())

/** Every member once, in order, the first with a list. */
function expectMembers(rows: Record<string, unknown>[], interests: unknown) {
  expect(rows.map((row) => row['Full Name'])).toEqual(names)
  expect(rows[0]).toMatchObject({ memberId: 'm-1', Interests: interests })
}

test('TypeScript: types are made of the served document, the client compiles, and reads every page', async () => {
  const cwd = 'examples/typescript'
  const bin = 'node_modules'
  await rm(`${cwd}/api.d.ts`, { force: true })
  const generator = `${bin}/openapi-typescript/bin/cli.js`
  await run(process.execPath, [generator, `${env.API_URL}/openapi.json`, '-o', 'api.d.ts'], { cwd })
  await run(process.execPath, [`${bin}/typescript/bin/tsc`, '-p', '.'], { cwd })
  const { stdout } = await run(process.execPath, ['members.ts'], { cwd, env })
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expectMembers(rows, ['Tea', 'Maps'])
})

test.skipIf(!isThere('python3'))('Python: every page, as CSV', async () => {
  const { stdout } = await run('python3', ['examples/python/members.py'], { env })
  expectMembers(parse(stdout, { columns: true }), 'Tea; Maps')
})

test.skipIf(!isThere('python3'))('Python: a refusal is told in the words of the API', async () => {
  const refused = run('python3', ['examples/python/members.py'], {
    env: { ...env, API_KEY: 'sk_x' },
  })
  await expect(refused).rejects.toMatchObject({
    stderr: expect.stringContaining('401: x-api-key: must be an API key'),
  })
})

test.skipIf(!isThere('curl') || !isThere('jq'))(
  'curl: every page, a property for each field',
  async () => {
    const { stdout } = await run('examples/curl/members.sh', [], { env })
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expectMembers(rows, ['Tea', 'Maps'])
  },
)

test('Google Sheets: every page, a column for each field', async () => {
  const answers: Record<string, unknown> = {}
  for (const offset of [0, 250, 500]) {
    const path = `/members?limit=250&offset=${offset}`
    const answer = await fetch(env.API_URL + path, { headers: { 'x-api-key': env.API_KEY } })
    answers[path] = await answer.json()
  }
  const script = await readFile('examples/google-sheets/members.gs', 'utf8')
  const table = vm.runInNewContext(`${script}; membersTable`)((path: string) => answers[path])
  const [columns, ...rows] = table as string[][]
  expect(columns).toEqual(['memberId', 'Full Name', 'Interests'])
  expectMembers(
    rows.map((row) => Object.fromEntries(row.map((cell, index) => [columns?.[index], cell]))),
    'Tea; Maps',
  )
})

test('Power Query: the address is literal, so that the Power BI service can refresh it', async () => {
  const query = await readFile('examples/power-query/members.pq', 'utf8')
  expect(query).toMatch(/Web\.Contents\(\s*"https?:\/\/[^"]+",\s*\[\s*RelativePath = /)
})

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
