import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { collectionNames } from '../../../src/model/collection.ts'
import { createSpreadsheet } from './apps-script.ts'
import type { ColumnType } from './contract-types.ts'
import { evaluate } from './power-query.ts'
import { createLibrary, type Table } from './power-query-library.ts'
import { loadReadings } from './reading.ts'
import { serveExamples } from './served.ts'

const { organisation, requests, env, countedEnv } = await serveExamples()
const { readings, contractTypes } = await loadReadings(
  await organisation.truth(),
  organisation.id,
  env,
)
const library = { ...createLibrary(env.API_URL), ApiKey: env.API_KEY }

/** The format of each type in a sheet, and the type in Power Query. */
const sheetFormats: Record<ColumnType, string> = {
  text: '@',
  list: '@',
  number: 'General',
  boolean: 'General',
  date: 'yyyy-mm-dd',
  time: 'yyyy-mm-dd hh:mm',
}
const powerQueryTypes: Record<ColumnType, string> = {
  text: 'text',
  list: 'text',
  number: 'number',
  boolean: 'logical',
  date: 'date',
  time: 'datetimezone',
}

test('Google Sheets: every collection in its own sheet, with typed columns', async () => {
  const { sheets, run } = await createSpreadsheet(countedEnv)
  const sent = await requests.during(() => run('refreshSheets'))
  expect(sent.every(({ headers }) => headers.prefer === 'handling=strict')).toBe(true)
  for (const [name, { rows, types }] of Object.entries(readings)) {
    const { cells = [], formats = [] } = sheets.get(name) ?? {}
    const [columns = [], ...values] = cells
    expect(Object.keys(rows[0] ?? {}), name).toEqual(columns)
    for (const [index, column] of columns.entries()) {
      const type = types[String(column)]
      expect(formats[1]?.[index], `${name}: ${column}`).toBe(sheetFormats[type ?? 'text'])
      const expected = rows.map((row) => toCell(row[String(column)], type))
      expect(
        values.map((row) => row[index]),
        `${name}: ${column}`,
      ).toEqual(expected)
    }
  }
})

test('Google Sheets: waits for a busy service, and a sheet that cannot be read keeps its rows', async () => {
  const { sheets, run } = await createSpreadsheet({ ...countedEnv, COLLECTIONS: 'funds,events' })
  await run('refreshSheets')
  const before = structuredClone(sheets.get('funds')?.cells)
  const busy = { 1: { status: 429, retryAfter: '7' }, 2: { status: 429 } }
  let slept = 0
  await requests.during(async () => {
    slept = await run('refreshSheets')
  }, busy)
  expect(slept).toBe(67)
  const failed = requests.during(() => run('refreshSheets'), { 1: { status: 500 } })
  await expect(failed).rejects.toThrow('funds: 500: Not now.')
  expect(sheets.get('funds')?.cells).toEqual(before)
})

test('Google Sheets: has one daily trigger', async () => {
  const { triggers, run } = await createSpreadsheet({})
  await run('refreshDaily')
  await run('refreshDaily')
  expect(triggers).toEqual([{ handler: 'refreshSheets', hour: 4 }])
})

test('Power Query: every collection with typed columns', async () => {
  const read = await loadReadCollection()
  for (const name of collectionNames) {
    const { columns, types = [], rows } = await read(name)
    const expected = contractTypes.get(name)
    for (const [column, type] of expected ?? [])
      expect(types[columns.indexOf(column)], `${name}: ${column}`).toBe(powerQueryTypes[type])
    for (const column of Object.keys(readings[name]?.rows[0] ?? {})) {
      // CSV names the member once.
      if (expected?.get(column) === 'list' || /^profile\..*Id$/.test(column)) continue
      const values = rows.map((row) => row[columns.indexOf(column)])
      const expectedValues = readings[name]?.rows.map((row) =>
        row[column] === '' ? null : row[column],
      )
      expect(values, `${name}: ${column}`).toEqual(expectedValues)
    }
  }
})

test('Power Query: each member is in the partition of its last change, and every partition has the same columns', async () => {
  await organisation.age()
  const changed = await organisation.changeTwenty()
  const members = (await organisation.truth()).get('members')
  const ReadCollection = await loadReadCollection()
  const text = await readFile('examples/power-query/versions.pq', 'utf8')
  const partition = async (from: string, to: string) => {
    const range = { RangeStart: new Date(from), RangeEnd: new Date(to) }
    const table = await evaluate(text, { ...library, ...range, ReadCollection })
    return table as Table
  }
  const old = await partition('1970-01-01T00:00:00Z', '2024-01-01T00:00:00Z')
  const recent = await partition('2024-01-01T00:00:00Z', '2100-01-01T00:00:00Z')
  const none = await partition('2100-01-01T00:00:00Z', '2101-01-01T00:00:00Z')
  const idsIn = ({ rows }: Table) => rows.map(([memberId]) => memberId)
  expect(idsIn(recent).sort()).toEqual(changed.members)
  expect([...idsIn(old), ...idsIn(recent)].sort()).toEqual([...(members?.keys() ?? [])].sort())
  for (const { columns, types } of [old, recent])
    expect({ columns, types }).toEqual({ columns: none.columns, types: none.types })
  expect(none.rows).toEqual([])
  expect(none.columns.slice(-3)).toEqual(['$created', '$updated', '$version'])
  expect(none.types?.slice(-3)).toEqual(['datetimezone', 'datetimezone', 'number'])
})

/** Returns the cell of a value in a column of a type. */
function toCell(value: unknown, type: ColumnType | undefined): unknown {
  if (value === null) return ''
  if (type === 'time') return new Date(String(value))
  if (typeof value !== 'object') return value
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return isTexts ? value.join('; ') : JSON.stringify(value)
}

async function loadReadCollection(): Promise<(...values: unknown[]) => Promise<Table>> {
  const text = await readFile('examples/power-query/read-collection.pq', 'utf8')
  const read = await evaluate(text, library)
  if (typeof read !== 'function') throw new Error('It is not a function.')
  return async (...values) => read(...values)
}
