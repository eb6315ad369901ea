import { readFile, rm, stat } from 'node:fs/promises'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { collectionNames } from '../../../src/model/collection.ts'
import { createKey } from '../../keys.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { readWithPython, readWithR } from './programs.ts'
import { loadReadings } from './reading.ts'
import { isInstalled, run, serveExamples } from './served.ts'

const { worker, organisation, requests, env, countedEnv } = await serveExamples()
const folder = await temporaryFolder()
const records = await organisation.truth()
const { readings } = await loadReadings(records, organisation.id, env)
const typescript = 'examples/typescript'
const file = `${folder}/saved.ndjson`
/** The collections for examples that start a program for each: people, one with profiles, one with lists. */
const someNames = ['members', 'bookings', 'survey-responses']

test.skipIf(!isInstalled('python3'))('Python: every collection with typed columns', async () => {
  expect(await readWithPython(collectionNames, env)).toEqual(readings)
})

test.skipIf(!isInstalled('Rscript'))('R: every collection with typed columns', async () => {
  expect(await readWithR(collectionNames, env)).toEqual(readings)
})

test.skipIf(!isInstalled('curl'))('curl: a whole collection as CSV and NDJSON', async () => {
  for (const name of someNames) {
    for (const format of ['csv', 'ndjson']) {
      await run('examples/curl/collection.sh', [name, `${folder}/${name}.${format}`], { env })
      expect((await stat(`${folder}/${name}.${format}`)).mode & 0o077).toBe(0)
    }
    const lines = await readFile(`${folder}/${name}.ndjson`, 'utf8')
    expect(parseLines(lines)).toEqual(listRecords(name))
    const csv = await readFile(`${folder}/${name}.csv`, 'utf8')
    const { data: rows } = Papa.parse<string[]>(csv, { skipEmptyLines: true })
    expect(rows.slice(1).map(([id]) => id)).toEqual([...(records.get(name)?.keys() ?? [])])
  }
})

test('TypeScript: types are made of the served document, the client compiles, and reads every page of a collection', async () => {
  const bin = 'node_modules'
  await rm(`${typescript}/api.d.ts`, { force: true })
  const generator = `${bin}/openapi-typescript/bin/cli.js`
  const document = `${env.API_URL}/openapi.json`
  await run(process.execPath, [generator, document, '-o', 'api.d.ts'], { cwd: typescript })
  await run(process.execPath, [`${bin}/typescript/bin/tsc`, '-p', '.'], { cwd: typescript })
  for (const name of someNames) {
    const { stdout } = await run(process.execPath, ['collection.ts', name], {
      cwd: typescript,
      env,
      maxBuffer: 100_000_000,
    })
    expect(parseLines(stdout)).toEqual(listRecords(name))
  }

  const { env: bindings, organisationId } = worker
  const { key } = await createKey(bindings, organisationId, 'w', 'a test', undefined, [
    ...['read', 'write'],
  ])
  const ids = ['events', 'members'].map((name) => [...(records.get(name)?.keys() ?? [])][0] ?? '')
  const { stdout } = await run(process.execPath, ['booking.ts', ...ids], {
    cwd: typescript,
    env: { ...env, API_KEY: key },
  })
  expect(stdout.trim().split('\n')).toEqual([
    'created true',
    'listed 1 true',
    'updated true',
    'replaced false',
    'unchanged 304',
    'refused PRECONDITION_FAILED',
    'deleted 204',
  ])
})

test('DuckDB: the addresses are those of every collection, as NDJSON', async () => {
  const sql = await readFile('examples/duckdb/collections.sql', 'utf8')
  const addresses = sql.match(/'[^']+' \|\| name \|\| '[^']+'/g)
  const [address = '', ...others] = new Set(addresses)
  expect(others).toEqual([])
  const names = [...sql.matchAll(/(?:collection|read_values)\('([^']+)'\)/g)].map(
    ([, name]) => name,
  )
  expect(names.sort()).toEqual([...collectionNames].sort())
  const [url = '', query = ''] = address.slice(1, -1).split("' || name || '")
  for (const name of names) {
    const served = url.replace('http://localhost:8787/api/v1', env.API_URL) + name + query
    const headers = { 'x-api-key': env.API_KEY, Prefer: 'handling=strict' }
    const answer = await fetch(served, { headers })
    expect(parseLines(await answer.text())).toEqual(listRecords(String(name)))
  }
})

test.skipIf(!isInstalled('Rscript'))('R: waits, and takes no transfer that broke off', async () => {
  const complete = { events: readings.events }
  const read = () => readWithR(['events'], countedEnv)
  const sent = await requests.during(async () => expect(await read()).toEqual(complete), {
    1: { status: 429, retryAfter: '0' },
  })
  expect(sent.map(({ headers }) => headers.prefer)).toEqual(Array(2).fill('handling=strict'))
  // Some versions of httr2 fail, and others try again.
  await requests.during(
    async () => expect([complete, 'failed']).toContainEqual(await read().catch(() => 'failed')),
    { 1: 'incomplete' },
  )
})

describe.each([
  {
    example: 'curl',
    missing: !isInstalled('curl'),
    read: () => run('examples/curl/collection.sh', ['events', file], { env: countedEnv }),
  },
  {
    example: 'Python',
    missing: !isInstalled('python3'),
    read: () =>
      run('python3', ['-B', 'examples/python/collection.py', 'events'], { env: countedEnv }),
  },
  {
    example: 'TypeScript',
    missing: false,
    read: () =>
      run(process.execPath, ['collection.ts', 'events'], { cwd: typescript, env: countedEnv }),
  },
])('$example', ({ missing, read }) => {
  test.skipIf(missing)('waits for a busy service, and asks for strict handling', async () => {
    const busy = { status: 429, retryAfter: '0' }
    const sent = await requests.during(read, { 1: busy, 2: { ...busy, status: 503 } })
    expect(sent).toHaveLength(3)
    expect(sent.map(({ headers }) => headers.prefer)).toEqual(Array(3).fill('handling=strict'))
  })

  test.skipIf(missing)(
    'fails if the transfer breaks off, without showing records or the key',
    async () => {
      await rm(file, { force: true })
      const error = await failure(() => requests.during(read, { 1: 'incomplete' }))
      expect(error).toMatchObject({ code: expect.any(Number), stdout: '' })
      expect(error.stderr).not.toMatch(new RegExp(`${countedEnv.API_KEY}|Open Day`))
      await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(stat(`${file}.part`)).rejects.toMatchObject({ code: 'ENOENT' })
    },
  )

  test.skipIf(missing)("shows the API's error message without the key", async () => {
    const key = `${env.API_KEY.slice(0, -6)}AAAAAA`
    Object.assign(countedEnv, { API_KEY: key })
    const error = await failure(() => requests.during(read))
    expect(error.stderr).toContain('x-api-key')
    expect(error.stderr).not.toContain(key)
    Object.assign(countedEnv, { API_KEY: env.API_KEY })
  })
})

/** Returns the error of a program that should fail. */
async function failure(act: () => Promise<unknown>): Promise<{ stdout: string; stderr: string }> {
  return act().then(
    () => expect.unreachable('It succeeded.'),
    (error) => error,
  )
}

const listRecords = (name: string) => [...(records.get(name)?.values() ?? [])]

/** Parses lines of JSON. A member names its schema. */
const parseLines = (text: string): object[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ schemaInfo, ...record }) => record)
