import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportFiles } from '../../cli/commands/export-files.ts'
import { demoOrganisation as demo, isDemoLoaded, loadDemo } from '../../cli/demo.ts'
import { importFiles } from '../../cli/import/import-files.ts'
import { toFileReport } from '../../cli/import/import-report.ts'
import { demoDate } from '../../src/admin/move-dates.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { kinds } from '../../src/model/properties/schema.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { addWebhook } from '../../src/webhooks/new-secret.ts'
import { generateWebhookKey } from '../../src/webhooks/secret.ts'
import { readPackage } from '../formats/data-package/read-package.ts'
import { createKey } from '../keys.ts'
import { records } from './demo/records.ts'
import {
  countPackageRowsWithDuckDb,
  countPackageRowsWithR,
  readPackageWithPython,
} from './examples/programs.ts'
import { isInstalled } from './examples/served.ts'
import { apiClient, localState, newOrganisation } from './local-state.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Answer = Record<string, unknown>
type Asked = Pick<Awaited<ReturnType<typeof newOrganisation>>, 'id' | 'get'>

const bindings = await localState()
const singles = { forms: 'formId', 'grant-applications': 'applicationId', funds: 'fundId' }
const other = await newOrganisation(bindings)
let one: Asked
let exported: Record<string, string>
let loadedAtFirst = false

/** Everything an organisation is served with, as files to import: lists page by page, and one by one what lists show only a part of. */
async function exportOf({ id, get }: Asked): Promise<Record<string, string>> {
  const files: Record<string, unknown> = {}
  const schemas = Object.keys(kinds).map(async (kind) => [
    kind,
    await get(`schemas/${id}?kind=${kind}`),
  ])
  files['schemas.json'] = Object.fromEntries(await Promise.all(schemas))
  for (const name of Object.keys(records)) {
    const records = await pagesOf(get, name)
    const idName = Object.entries(singles).find(([segment]) => segment === name)?.[1]
    files[`${name}.json`] = idName
      ? await Promise.all(
          records.map(async (record) => Object.values(await get(`${name}/${record[idName]}`))[0]),
        )
      : records
  }
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, JSON.stringify(file)]),
  )
}

async function pagesOf(get: Asked['get'], name: string): Promise<Answer[]> {
  const all: Answer[] = []
  for (;;) {
    const [page] = Object.values(
      await get<Record<string, Answer[]>>(`${name}?limit=250&offset=${all.length}`),
    )
    if (!page || page.length === 0) return all
    all.push(...page)
  }
}

// An organisation's records are its own: who moves them to another says so.
const handedTo = (id: string, files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      name,
      text.replace(/(?<="|\/schemas\/)demo(?=")/g, id),
    ]),
  )

beforeAll(async () => {
  // After the first file, and while answers fill people.
  for (const text of ['UPDATE imports SET', 'updated AS "updated"']) {
    const broken = { ...bindings, DB: failingAt(text) }
    await expect(loadDemo(broken, demoDate)).rejects.toThrow(
      /members.csv: 160 of 160|survey-responses.ndjson: 0 of/,
    )
    loadedAtFirst ||= await isDemoLoaded(bindings.DB)
  }
  await loadDemo(bindings, demoDate)
  const { key } = await createKey(bindings, demo.id, 'a test', 'a test')
  one = { id: demo.id, get: apiClient(bindings, key) }
  exported = await exportOf(one)
})

// The other files of this process expect no directory.
afterAll(() => bindings.GEOGRAPHY.prepare("UPDATE editions SET status = 'retired'").run())

/** The database until it is asked something that has this text in it. */
function failingAt(text: string): D1Database {
  return Object.assign(Object.create(bindings.DB), {
    prepare(query: string) {
      if (query.includes(text)) throw new Error('The machine was switched off.')
      return bindings.DB.prepare(query)
    },
  })
}

test('loads the demo again after an interruption', async () => {
  expect(loadedAtFirst).toBe(false)
  expect(await isDemoLoaded(bindings.DB)).toBe(true)
})

test('what a member of the demo answered, and where they live, is in their record', async () => {
  const { member } = await one.get<{ member: { fields: { key: string; value: unknown }[] } }>(
    'members/member-0001',
  )
  const values = Object.fromEntries(member.fields.map(({ key, value }) => [key, value]))
  expect(values).toMatchObject({
    'Full Name': 'Amara Abara',
    'Postcode.lad': 'Leeds',
    Interests: ['Cooking', 'Gardening', 'Wellbeing'],
  })
})

describe('what the API serves', () => {
  test('is all that there is', () => {
    for (const [name, input] of Object.entries(records)) {
      const { length } = JSON.parse(exported[`${name}.json`] ?? '')
      expect([name, length]).toEqual([name, input.length])
    }
  })

  test('is refused by another organisation, as it belongs to the first', async () => {
    const outcome = await other.import({ 'events.json': exported['events.json'] ?? '' })
    const errors = [
      {
        field: 'managedBy',
        message: `must be ${other.id}.`,
        code: 'not_allowed',
        count: records.events?.length,
        lines: [1],
      },
    ]
    expect(outcome).toEqual({ 'events.json': { errors } })
  })

  test('can be moved to another organisation, and is then served as its own', async () => {
    const path = join(await temporaryFolder(), 'moved')
    await mkdir(path)
    for (const [name, text] of Object.entries(exported)) await writeFile(join(path, name), text)
    const options = { movedFrom: demo.id }
    const outcomes = await Array.fromAsync(importFiles([path], other.to, options))
    expect(outcomes.flatMap(({ errors }) => errors)).toEqual([])
    const moved = await exportOf(other)
    const input = handedTo(other.id, exported)
    expect(Object.keys(moved).filter((name) => moved[name] !== input[name])).toEqual([])
  })

  test('can be imported over itself, and nothing changes', async () => {
    const readStored = () =>
      bindings.DB.prepare(
        'SELECT collection, id, ordinal, document FROM records WHERE organisation_id = ?',
      )
        .bind(other.id)
        .all()
    const { results } = await readStored()
    await other.import(handedTo(other.id, exported))
    expect(JSON.stringify((await readStored()).results) === JSON.stringify(results)).toBe(true)
  })
})

describe('what the operator exports', () => {
  const exportTo = (
    folder: string,
    { DB }: Pick<typeof bindings, 'DB'> = bindings,
    id = demo.id,
    hasPackage = false,
  ) => exportFiles(DB, id, folder, () => {}, hasPackage)

  test('is a package too, which other programs read with its types', async () => {
    const folder = await temporaryFolder()
    const exportedFiles = await exportTo(folder, bindings, demo.id, true)
    const file = join(folder, 'data-package.zip')
    expect(exportedFiles.at(-1)).toMatchObject({ file, records: collectionNames.length })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const { files, tables } = await readPackage(await readFile(file))
    expect(Object.entries(tables).map(([name, rows]) => [name, rows.length])).toEqual(
      Object.entries(records).map(([name, all]) => [name, all.length]),
    )
    expect(tables.members?.find(({ memberId }) => memberId === 'member-0001')).toMatchObject({
      'Full Name': 'Amara Abara',
      Interests: ['Cooking', 'Gardening', 'Wellbeing'],
    })
    if (isInstalled('python3')) expect(await readPackageWithPython(file)).toEqual(tables)
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const counts = Object.fromEntries(
      Object.entries(tables).map(([name, rows]) => [name, rows.length]),
    )
    if (isInstalled('Rscript')) expect(await countPackageRowsWithR(folder)).toEqual(counts)
    if (isInstalled('duckdb')) expect(await countPackageRowsWithDuckDb(folder)).toEqual(counts)
  })

  test('can be imported again, and is then kept and served the same', async () => {
    const folder = join(await temporaryFolder(), 'new')
    const exportedFiles = await exportTo(folder)
    const numbers = Object.values(records).map((all) => all.length)
    expect(exportedFiles.map(({ records }) => records)).toEqual([3, ...numbers, expect.any(Number)])
    expect(exportedFiles.flatMap(({ errors }) => errors)).toEqual([])
    expect((await stat(join(folder, 'members.ndjson'))).mode & 0o777).toBe(0o600)
    const files: Record<string, string> = {}
    for (const { file } of exportedFiles) files[basename(file)] = await readFile(file, 'utf8')
    expect(Object.values(files).join()).not.toMatch(/"Postcode\.|"\$/)
    const third = await newOrganisation(bindings)
    const outcome = await third.import(handedTo(third.id, files))
    expect(Object.values(outcome)).toEqual(Object.values(outcome).map(() => expect.any(Number)))
    const [again, input] = [await exportOf(third), handedTo(third.id, exported)]
    expect(Object.keys(again).filter((name) => again[name] !== input[name])).toEqual([])
    // Hidden keys too: filters of volunteers, and the source of areas.
    expect(await keptOf(third.id)).toEqual(handedTo(third.id, await keptOf(demo.id)))
  })

  test('is not written over other files, and names what an import would refuse', async () => {
    const { id, ...organisation } = await newOrganisation(bindings)
    const schemas = (...options: string[]) => ({
      members: { fields: [{ id: 'Town', type: 'select', options }] },
    })
    const members = 'memberId,Town\nm1,Leeds\nm2,York\n'
    await organisation.import({
      'schemas.json': schemas('Leeds', 'York'),
      'members.csv': members,
    })
    await organisation.import({ 'schemas.json': schemas('Leeds') })
    const folder = await temporaryFolder()
    const fault = { line: 2, id: 'm2', field: 'Town', message: expect.stringContaining('Leeds') }
    expect(await exportTo(folder, bindings, id)).toMatchObject([
      { collection: 'schemas', records: 1, errors: [] },
      { collection: 'members', records: 2, refused: 1, errors: [fault] },
      { collection: 'settings', errors: [] },
    ])
    expect(await readFile(join(folder, 'members.ndjson'), 'utf8')).toBe(
      '{"memberId":"m1","Town":"Leeds"}\n{"memberId":"m2","Town":"York"}\n',
    )
    expect(await readdir(folder)).toEqual(['members.ndjson', 'schemas.json', 'settings.json'])
    await expect(exportTo(folder)).rejects.toThrow(`${folder} is not empty`)
    await expect(exportTo(join(folder, 'schemas.json'))).rejects.toThrow('schemas.json cannot be')
  })

  test('lists the commands that create keys and webhooks again', async () => {
    const [from, to] = [await newOrganisation(bindings), await newOrganisation(bindings)]
    const hideFields = ['email', 'free text']
    const restrictions = { collections: ['members'], hideFields, privateNotes: false } as const
    const name = "Ana's \u001b[31mkey"
    const expires = '2099-01-31T23:59:59.999Z'
    const permissions = ['read', 'assistant']
    await createKey(bindings, from.id, name, 'a test', expires, permissions, restrictions)
    const keys = { WEBHOOK_KEY: generateWebhookKey() }
    const webhook = {
      url: 'https://hooks.test:8443/secret?key=1',
      collections: ['events', 'forms'],
    }
    const store = administeredStore(bindings.DB, from.id, 'a test')
    await addWebhook(keys, store, { ...webhook, changes: ['created'] })
    const folder = await temporaryFolder()
    await exportTo(folder, bindings, from.id)
    const file = join(folder, 'settings.json')
    const [result] = await Array.fromAsync(importFiles([file], to.to, { movedFrom: from.id }))
    if (!result) throw new Error('There is no result.')
    expect(toFileReport(result)).toMatchObject({
      done: true,
      lines: [
        `${file}: 0 settings restored, 0 exist and stay, 0 left out.`,
        'Create these keys again:',
        `  npm run admin -- key create ${to.id} --name 'Ana'\\''s  [31mkey' --permissions read,assistant --collections members --hide-fields 'email,free text' --no-private-notes --expires ${expires}`,
        'Add these webhooks again, with the rest of their addresses, which may be secret:',
        `  npm run admin -- webhook add ${to.id} 'https://hooks.test:8443/…' --collections events,forms --changes created`,
      ],
    })
  })

  test('is nothing when it is broken off', async () => {
    const folder = await temporaryFolder()
    const broken = { DB: failingAt('ordinal > ?') }
    await expect(exportTo(folder, broken)).rejects.toThrow(/switched off|members.csv: 160 of 160/)
    expect(await readdir(folder)).toEqual([])
  })
})

/** Every stored record in order, without the dates of answers, which an import writes as values. */
async function keptOf(id: string): Promise<Record<string, string>> {
  const { results } = await bindings.DB.prepare(
    `SELECT collection || ' ' || ordinal || ' ' || id AS place, json_remove(document, '$."$answered"') AS document
     FROM records WHERE organisation_id = ?`,
  )
    .bind(id)
    .all<{ place: string; document: string }>()
  return Object.fromEntries(results.map(({ place, document }) => [place, sorted(document)]))
}

// A later answer comes after the imported fields.
const sorted = (document: string) =>
  JSON.stringify(Object.entries(JSON.parse(document)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
