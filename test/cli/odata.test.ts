import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoRecords } from '../../bench/load/demo-records.ts'
import { isKind, kinds } from '../../src/model/properties/schema.ts'
import { toSetName } from '../../src/odata/names.ts'
import { collections } from '../../src/resources/collections.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { createKey } from '../keys.ts'
import { localWorker } from './local-worker.ts'

/** The part of the parsed metadata that the tests read. */
type Metadata = {
  references: { namespace: string }[]
  schema: {
    entitySets: { name: string }[]
    entityTypes: { name: string; keys: { name: string }[] }[]
  }
}

/** A page of an entity set, or one entity. */
type Page = Record<string, unknown> & {
  value: Record<string, unknown>[]
  '@odata.nextLink'?: string
}

/** A client of odata2ts. Its own types demand every property of a request. */
type Client = { get(url: string): Promise<{ data: Page }> }

/** The generated class: a method for each entity set, with an id for one entity. */
type Service = Record<string, (id?: string) => { query(): Promise<{ data: Page }> }>

const run = promisify(execFile)

// Loaded without their types, which need packages that they do not install.
const require = createRequire(import.meta.url)
const { parse }: { parse: (xml: string) => Metadata } = require('@sap-ux/edmx-parser')

// More than two pages of 1,000.
const copiesOfBookings = 9

const { env, url, organisationId } = await localWorker()
const root = `${url.origin}/odata/${organisationId}`
const { schemas, records } = await demoRecords(organisationId)
// Generated code finds its libraries only below the project.
await mkdir('node_modules/.cache', { recursive: true })
const folder = await mkdtemp(resolve('node_modules/.cache/odata-'))
const counts: Record<string, number> = {}
let headers: Record<string, string>
let metadata: string

beforeAll(async () => {
  await putSchemas(env.DB, organisationId, schemas)
  for (const [collection, documents] of Object.entries(records)) {
    const id = isKind(collection)
      ? kinds[collection].id
      : String((await collections[collection]?.())?.collection.id)
    const copies = collection === 'bookings' ? copiesOfBookings : 1
    for (let copy = 0; copy < copies; copy++) {
      const rows = documents.map((document) => {
        const copyId = copy === 0 ? String(document[id]) : `${document[id]}, copy ${copy}`
        return { id: copyId, document: JSON.stringify({ ...document, [id]: copyId }) }
      })
      await putRecords(env.DB, organisationId, collection, rows)
    }
    counts[toSetName(collection)] = documents.length * copies
  }
  const { key } = await createKey(env, organisationId, 'Excel', 'a test')
  headers = { Authorization: `Basic ${btoa(`excel:${key}`)}` }
  metadata = await (await fetch(`${root}/$metadata`, { headers })).text()
})

afterAll(() => rm(folder, { recursive: true }))

test('the metadata parser of SAP knows every set, and its key', () => {
  const { references, schema } = parse(metadata)
  expect(references.map(({ namespace }) => namespace)).toEqual([
    'Org.OData.Core.V1',
    'Org.OData.Capabilities.V1',
    'Org.OData.Aggregation.V1',
  ])
  expect(schema.entitySets.map(({ name }) => name)).toEqual(Object.keys(counts))
  const booking = schema.entityTypes.find(({ name }) => name === 'Booking')
  expect(booking?.keys.map(({ name }) => name)).toEqual(['bookingId'])
})

test('a client generated from the metadata compiles, and reads every set to its end', async () => {
  const { FetchClient } = require('@odata2ts/http-client-fetch')
  const Service = await generateService()
  const client: Client = new FetchClient({ headers })
  const service: Service = new Service(client, root)
  const { schema } = parse(metadata)
  const readCounts: Record<string, number> = {}
  for (const { name } of schema.entitySets) {
    const type = schema.entityTypes.find((type) => `${type.name}s` === name)
    const idName = type?.keys[0]?.name ?? ''
    const open = (...id: [string?]) => service[name]?.(...id).query()
    const ids = new Set<unknown>()
    let page = (await open())?.data
    for (;;) {
      for (const entity of page?.value ?? []) ids.add(entity[idName])
      const next = page?.['@odata.nextLink']
      if (next === undefined) break
      page = (await client.get(next)).data
    }
    readCounts[name] = ids.size
    const last = page?.value.at(-1)
    expect((await open(String(last?.[idName])))?.data).toEqual({
      '@odata.context': `${root}/$metadata#${name}/$entity`,
      ...last,
    })
  }
  expect(readCounts).toEqual(counts)
})

/** Generates a client, compiles it strictly and returns its class. */
async function generateService(): Promise<new (client: Client, root: string) => Service> {
  const file = (name: string) => join(folder, name)
  await writeFile(file('metadata.xml'), metadata)
  await writeFile(file('package.json'), '{"type":"commonjs"}')
  const compilerOptions = {
    module: 'CommonJS',
    moduleResolution: 'node10',
    target: 'ES2022',
    types: [],
    strict: true,
    skipLibCheck: true,
    rootDir: 'ts',
    outDir: 'js',
  }
  await writeFile(file('tsconfig.json'), JSON.stringify({ compilerOptions, include: ['ts'] }))
  // The generator needs the JavaScript API of TypeScript 5, which version 7 does not have.
  const typescript = resolve('examples/typescript/node_modules/typescript')
  if (!existsSync(typescript)) throw new Error(`${typescript} is missing: run npm ci.`)
  const hook = `import { registerHooks } from 'node:module'
    const library = ${JSON.stringify(join(typescript, 'lib/typescript.js'))}
    registerHooks({
      resolve: (name, context, next) => next(name === 'typescript' ? library : name, context),
    })`
  const loader = `data:text/javascript,${encodeURIComponent(hook)}`
  const generator = 'node_modules/@odata2ts/odata2ts/lib/run-cli.js'
  const input = ['--source', file('metadata.xml'), '--tsconfig', file('tsconfig.json')]
  const output = ['--output', file('ts'), '--mode', 'service', '--emit-mode', 'ts']
  await run(process.execPath, ['--import', loader, generator, ...input, ...output])
  await run(process.execPath, [join(typescript, 'bin/tsc'), '-p', folder])
  return require(file('js/DataPlatformService.js')).DataPlatformService
}
