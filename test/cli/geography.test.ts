import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TextReader, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { geographyStatus, loadGeography } from '../../cli/commands/geography.ts'
import { Generation } from '../../cli/geography/generation.ts'
import type { LoadOptions } from '../../cli/geography/load.ts'
import { migrate, openState } from '../../cli/state/bindings.ts'
import { lookUpAreas } from '../../src/geography/lookup.ts'
import { expectedOf, type Fact, facts } from '../geography/facts.ts'
import { directoryCsv, type Layout, layouts, nameFiles } from '../geography/layouts.ts'

const tables = ['editions', 'areas', 'combinations', 'postcodes']
const august2025 = layouts['August 2025']
const august2026 = layouts['August 2026']

let root: string
let state: Awaited<ReturnType<typeof openState>>
let geography: D1Database

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'geography-'))
  state = await openState(root)
  geography = state.env.GEOGRAPHY
  await migrate(geography, 'migrations/geography')
})

beforeEach(async () => {
  for (const table of tables) await geography.prepare(`DELETE FROM ${table}`).run()
})

afterAll(async () => {
  await state.dispose()
  await rm(root, { recursive: true })
})

/** Writes a directory as it lies unpacked, and gives the paths to load it by. */
async function writeDirectory(layout: Layout, directoryFacts: readonly Fact[] = facts) {
  const folder = await mkdtemp(join(root, 'edition-'))
  const names = join(folder, 'Documents')
  await mkdir(names)
  for (const { file, text } of nameFiles(layout, directoryFacts))
    await writeFile(join(names, file), text)
  const csv = join(folder, layout.file)
  await writeFile(csv, directoryCsv(layout, directoryFacts))
  return { csv, names }
}

async function zipped(layout: Layout, change: (zip: ZipWriter<Uint8Array>) => unknown = () => {}) {
  const zip = new ZipWriter(new Uint8ArrayWriter())
  await zip.add(`Data/${layout.file}`, new TextReader(directoryCsv(layout, facts)))
  // A published zip holds each postcode area once more.
  const inPieces = layout.file.replace('.csv', '_AB.csv')
  await zip.add(`Data/multi_csv/${inPieces}`, new TextReader(directoryCsv(layout, [])))
  for (const { file, text } of nameFiles(layout, facts)) {
    await zip.add(`Documents/${file}`, new TextReader(text))
  }
  await change(zip)
  const path = join(await mkdtemp(join(root, 'zip-')), layout.file.replace('_UK.csv', '.zip'))
  await writeFile(path, await zip.close())
  return path
}

const load = (path: string, options: LoadOptions = {}, db = geography) =>
  loadGeography({ GEOGRAPHY: db }, path, { minRows: 1, ...options }, () => {})

async function loadLayout(
  layout: Layout,
  directoryFacts?: readonly Fact[],
  options: LoadOptions = {},
) {
  const { csv, names } = await writeDirectory(layout, directoryFacts)
  return load(csv, { names, ...options })
}

async function lookUp(postcode: string) {
  const { byPostcode } = await lookUpAreas(geography, [postcode])
  return [...byPostcode.values()][0]
}

const statusLine = async () => (await geographyStatus({ GEOGRAPHY: geography })).lines[0]

const without = (record: Record<string, string>, ...keys: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))

test.each(Object.entries(layouts))('the directory of %s is loaded', async (_, layout) => {
  const { json } = await loadLayout(layout)
  expect(json).toMatchObject({
    edition: layout.edition,
    northernIreland: false,
    coverage: { rows: 9, live: 6, liveWithWard: 6, liveWithLad: 6 },
  })
  const census = 'lsoa' in layout.columns ? [] : ['lsoa', 'lsoaCode', 'msoa', 'msoaCode']
  for (const fact of facts) {
    expect(await lookUp(fact.postcode)).toEqual(without(expectedOf(fact), ...census))
  }
})

test('a zip is read where it is, with its names', async () => {
  await load(await zipped(august2026))
  for (const fact of facts) expect(await lookUp(fact.postcode)).toEqual(expectedOf(fact))
})

test('progress goes to the last byte', async () => {
  const { csv, names } = await writeDirectory(august2026)
  const progressCalls: [number, number][] = []
  await loadGeography({ GEOGRAPHY: geography }, csv, { names, minRows: 1 }, (read, of) =>
    progressCalls.push([read, of]),
  )
  const { length } = await readFile(csv)
  expect(progressCalls.at(-1)).toEqual([length, length])
})

test('a byte-order mark and quotes around the columns do no harm', async () => {
  const { csv, names } = await writeDirectory(august2026)
  const text = await readFile(csv, 'utf8')
  const header = august2026.header.replace(/\w+/g, '"$&"').toUpperCase()
  await writeFile(csv, `\uFEFF${text.replace(august2026.header, header)}`)
  const wards = nameFiles(august2026, facts).find(({ file }) => file.startsWith('WD '))
  await writeFile(join(names, wards?.file ?? ''), `\uFEFF${wards?.text}`)
  await load(csv, { names })
  expect(await lookUp('SW1A 1AA')).toMatchObject({ ward: "St James's" })
})

test('name files in UTF-8 and in the encoding of Windows are both read right', async () => {
  const welsh = (postcode: string, ward: string, lad: string): Fact => ({
    postcode,
    areas: {
      country: ['W92000004', 'Wales'],
      lad: ['W06000002', lad],
      ward: ['W05000999', ward],
    },
  })
  const { csv, names } = await writeDirectory(august2026, [welsh('LL53 7AA', 'Tŷ Mawr', 'Gwynedd')])
  const lads = 'LAD26CD,LAD26NM\r\nW06000002,Ynys M\xf4n \x96 Gwynedd\r\n'
  await writeFile(
    join(names, 'LAD names and codes UK as at 05_26.csv'),
    Buffer.from(lads, 'latin1'),
  )
  await load(csv, { names })
  expect(await lookUp('LL53 7AA')).toMatchObject({ ward: 'Tŷ Mawr', lad: 'Ynys Môn – Gwynedd' })
})

test('of names of several years the latest holds', async () => {
  const { csv, names } = await writeDirectory(august2026)
  await writeFile(join(names, 'A.csv'), 'WD99CD,WD99NM\r\nE05013806,Latest\r\n')
  await writeFile(join(names, 'Z.csv'), 'WD19CD,WD19NM\r\nE05013806,Oldest\r\n')
  await load(csv, { names })
  expect(await lookUp('SW1A 1AA')).toMatchObject({ ward: 'Latest' })
})

test.each<[string, Fact, Record<string, string>]>([
  [
    'a code of nothing but nines is no area, named or not',
    {
      postcode: 'AB10 1AB',
      areas: {
        country: ['S92000003', 'Scotland'],
        lad: ['S12000033', 'Aberdeen City'],
        ward: ['S13002842', 'George St/Harbour'],
        region: ['S99999999', ''],
        county: ['S99999999', 'No county'],
      },
    },
    {
      country: 'Scotland',
      countryCode: 'S92000003',
      lad: 'Aberdeen City',
      ladCode: 'S12000033',
      ward: 'George St/Harbour',
      wardCode: 'S13002842',
    },
  ],
  [
    'a pseudo code is no area',
    {
      postcode: 'CF10 1AA',
      areas: { country: ['W92000004', 'Wales'], region: ['W92000004', '(pseudo) Wales'] },
    },
    { country: 'Wales', countryCode: 'W92000004' },
  ],
  [
    'of a crown dependency the country alone counts',
    {
      postcode: 'JE2 4WD',
      areas: {
        country: ['L93000001', 'Channel Islands'],
        policeForceArea: ['L23000001', 'Jersey'],
      },
    },
    { country: 'Channel Islands', countryCode: 'L93000001' },
  ],
])('%s', async (_, fact, expected) => {
  const terminated = { ...fact, terminated: '199912' }
  await loadLayout(august2026, [terminated])
  expect(await lookUp(fact.postcode)).toEqual(expected)
})

test('Northern Ireland is left out, saying why, unless it is asked for', async () => {
  const belfast: Fact = {
    postcode: 'BT1 5GS',
    areas: {
      country: ['N92000002', 'Northern Ireland'],
      lad: ['N09000003', 'Belfast'],
      ward: ['N08000313', 'Central'],
    },
  }
  const { lines } = await loadLayout(august2026, [...facts, belfast])
  expect(lines.join('\n')).toContain(
    'Northern Ireland (BT, 1 postcodes) is left out: it is not under the Open Government Licence.',
  )
  expect(await lookUp('BT1 5GS')).toBeUndefined()
  await loadLayout(august2026, [...facts, belfast], { northernIreland: true })
  expect(await lookUp('BT1 5GS')).toEqual(expectedOf(belfast))
})

test.each<[string, (text: string) => string, RegExp]>([
  [
    'lacks columns',
    (text) => text.replace('wd25cd', 'ward_2025').replace('doterm', 'ended'),
    /^ONSPD_AUG_2025_UK.csv is not loaded: it has no column for the date of termination \(doterm; .*; it has no column for the Ward \(osward, ward, wd##cd; /,
  ],
  [
    'has a column twice',
    (text) => text.replace('hlth19cd', 'lad24cd'),
    /it has lad25cd and lad24cd for the Local authority district\.$/,
  ],
  [
    'lacks the census of 2021 though its edition has it',
    (text) => text.replace('lsoa21cd', 'lsoa22'),
    /it has no column for the Area of about 1,500 people \(LSOA 2021\) \(lsoa21, lsoa21cd; /,
  ],
  [
    'ends within a row',
    (text) => text.slice(0, -60),
    /ONSPD_AUG_2025_UK.csv:10 has \d+ columns and the header 53\.$/,
  ],
  [
    'has a postcode twice',
    (text) => text.replace('M1 1AD', 'SW1A1AA'),
    /has 1 postcodes more than once\.$/,
  ],
  [
    'has no postcode in a row',
    (text) => text.replace('M1 1AD', ''),
    /has a row without a postcode\.$/,
  ],
  ['is empty', () => '', /^ONSPD_AUG_2025_UK.csv is empty\.$/],
])('a file that %s is refused, and the old edition serves on', async (_, change, message) => {
  await loadLayout(layouts['August 2019'])
  const { csv, names } = await writeDirectory(august2025)
  await writeFile(csv, change(await readFile(csv, 'utf8')))
  await expect(load(csv, { names })).rejects.toThrow(message)
  expect(await statusLine()).toContain('2019-08')
  expect(await lookUp('SW1A 1AA')).toMatchObject({ ward: "St James's" })
})

test('rejects a file that is not a directory', async () => {
  const { csv, names } = await writeDirectory(august2025)
  const renamed = csv.replace('ONSPD_AUG_2025_UK', 'postcodes')
  await writeFile(renamed, await readFile(csv))
  await expect(load(renamed, { names })).rejects.toThrow(/keep the name the ONS gave it/)
  await expect(load(csv)).rejects.toThrow(/give the folder of name files .* with --names/)
  await expect(load(csv.replace('.csv', '.txt'), { names })).rejects.toThrow(/^There is no /)
  await expect(load(csv, { names: join(names, 'none') })).rejects.toThrow(/^There is no /)
  await expect(load(join(names, 'nothing.zip'))).rejects.toThrow(/^There is no /)
})

test('a zip that is cut short, damaged or holds two editions is refused', async () => {
  const cut = await zipped(august2026)
  await truncate(cut, 3000)
  await expect(load(cut)).rejects.toThrow(
    'ONSPD_AUG_2026.zip is not a zip, or not the whole of one.',
  )

  const damaged = await zipped(august2026)
  const bytes = await readFile(damaged)
  bytes.fill(0, 300, 340)
  await writeFile(damaged, bytes)
  await expect(load(damaged)).rejects.toThrow('Data/ONSPD_AUG_2026_UK.csv in the zip is damaged.')

  const two = await zipped(august2026, (zip) =>
    zip.add(`Data/${august2025.file}`, new Uint8ArrayReader(new Uint8Array(9))),
  )
  await expect(load(two)).rejects.toThrow(/must hold one Data\/ONSPD_.*; it holds 2\.$/)
  expect(await statusLine()).toBe('No directory is loaded: nothing is enriched.')
})

test.each<[string, (layout: Layout) => Promise<unknown>, RegExp]>([
  [
    'too few rows',
    async (layout) => loadLayout(layout, facts, { minRows: 2_000_000 }),
    /ONSPD_AUG_2026_UK.csv cannot be used: 9 rows, at least 2,000,000 expected\.$/,
  ],
  [
    'too few wards',
    async (layout) => {
      const { csv, names } = await writeDirectory(layout)
      await writeFile(csv, (await readFile(csv, 'utf8')).replace('"E05013806"', '""'))
      return load(csv, { names })
    },
    /5 of 6 live postcodes have a ward, at least 95 % expected\.$/,
  ],
  [
    'no names of a kind',
    async (layout) => {
      const { csv, names } = await writeDirectory(layout)
      await rm(join(names, 'LAD names and codes UK as at 05_26.csv'))
      return load(csv, { names })
    },
    /7 of 7 codes have no name for: Local authority district, at most 20 % expected\.$/,
  ],
])('with %s the old edition serves on', async (_, loading, message) => {
  await loadLayout(layouts['August 2019'])
  await expect(loading(august2026)).rejects.toThrow(message)
  expect(await statusLine()).toContain('2019-08')
  expect(await lookUp('AB10 1AB')).toMatchObject({ ward: 'George St/Harbour' })
})

test('while a load is interrupted the old edition serves, and the next load clears up', async () => {
  await loadLayout(august2025)
  const interrupted = new Proxy(geography, {
    get: (target, property) => (sql: string) => {
      if (sql.includes('INSERT INTO postcodes')) throw new Error('interrupted')
      return Reflect.get(target, property).call(target, sql)
    },
  })
  const { csv, names } = await writeDirectory(august2026)
  await expect(load(csv, { names }, interrupted)).rejects.toThrow('interrupted')
  expect(await generations('areas')).toHaveLength(2)
  expect(await statusLine()).toContain('2025-08')
  expect(await lookUp('SW1A 1AA')).toMatchObject({ lad: 'Westminster' })

  await load(csv, { names })
  expect(await statusLine()).toContain('2026-08')
  for (const table of tables) expect(await generations(table)).toHaveLength(1)
  expect(await lookUp('SW1A 1AA')).toMatchObject({ lad: 'Westminster' })
})

test('a load that another one overtakes writes nothing and is not used', async () => {
  const first = await Generation.start(geography, '2025-08', false)
  await Generation.start(geography, '2026-08', false)
  first.add('postcodes', ['SW1A1AA', 0])
  await expect(first.write()).rejects.toThrow(/^Another load started/)

  const overtaken = new Proxy(geography, {
    get: (target, property) =>
      property === 'batch'
        ? async (statements: D1PreparedStatement[]) => {
            await loadLayout(august2026)
            return target.batch(statements)
          }
        : Reflect.get(target, property).bind(target),
  })
  const { csv, names } = await writeDirectory(august2025)
  await expect(load(csv, { names }, overtaken)).rejects.toThrow(/^Another load started/)
  expect(await statusLine()).toContain('2026-08')
  for (const table of tables) expect(await generations(table)).toHaveLength(1)
})

test('an incomplete load is not used', async () => {
  await loadLayout(august2025)
  const losing = new Proxy(geography, {
    get: (target, property) =>
      property === 'batch'
        ? async (statements: D1PreparedStatement[]) => {
            await target.prepare("DELETE FROM postcodes WHERE postcode = 'SW1A1AA'").run()
            return target.batch(statements)
          }
        : Reflect.get(target, property).bind(target),
  })
  const { csv, names } = await writeDirectory(august2026)
  await expect(load(csv, { names }, losing)).rejects.toThrow()
  expect(await statusLine()).toContain('2025-08')
})

async function generations(table: string) {
  const { results } = await geography.prepare(`SELECT DISTINCT generation FROM ${table}`).all()
  return results
}

test('status shows the loaded edition', async () => {
  const unnamed: Fact = {
    postcode: 'SW1A 2AA',
    areas: { ...facts[0]?.areas, ward: ['E05999999', ''] },
  }
  await loadLayout(august2026, [...facts, unnamed])
  const { lines, json } = await geographyStatus({ GEOGRAPHY: geography })
  expect(lines).toEqual([
    expect.stringMatching(/^ONS Postcode Directory 2026-08: 10 postcodes, loaded \d{4}-\d\d-\d\dT/),
    'Of 7 live postcodes 100.0 % have a ward, 100.0 % a local authority district.',
    'Codes without a name: Ward 1.',
    expect.stringContaining('Northern Ireland (BT, 0 postcodes) is left out'),
  ])
  expect(json).toMatchObject({ id: expect.stringMatching(/^2026-08\//), edition: '2026-08' })
})
