import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCsvWriter, recordColumns } from '../../../src/formats/csv.ts'
import type { ListColumn, ListPage } from '../../../src/formats/list-page.ts'
import { fieldColumns, getLayout } from '../../../src/formats/person-layout.ts'
import { readCsvRecords } from '../../../src/import/rows/partial-records.ts'
import { createPersonTarget } from '../../../src/import/targets/person-target.ts'
import { createRecordTarget } from '../../../src/import/targets/record-target.ts'
import type { ImportTarget } from '../../../src/import/targets/target.ts'
import {
  escapeFormula,
  joinList,
  splitList,
  unescapeFormula,
} from '../../../src/model/cell-text.ts'
import { collectionNames } from '../../../src/model/collection.ts'
import type { Field } from '../../../src/model/properties/schema.ts'
import { parseSchema } from '../../../src/records/schema/schema.ts'
import { resources } from '../../../src/resources/resources.ts'

type Json = Record<string, unknown>

const tricky = [
  '',
  "'",
  "''",
  "'=",
  '=1+1',
  '-5',
  '+44',
  '@x',
  '\t',
  '\r\n',
  '\n"',
  'a,b',
  ' a ',
  ';',
]
const texts = fc.oneof(
  fc.constantFrom(...tricky, '[', '["a"]', '\u0000', '\ufeff', '＝', 'true', '7', 'null', "O'Hara"),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom("'", '=', '"', ',', ';', ' ', '\r', '\n', '[', ']', 'a') }),
)

test('any text comes back out of a cell, and any list of texts', () => {
  const check = (text: string, list: string[]) => {
    expect(unescapeFormula(escapeFormula(text))).toBe(text)
    expect(splitList(joinList(list))).toEqual(list)
  }
  fc.assert(fc.property(texts, fc.array(texts), check))
})

const few = { minLength: 1, maxLength: 3 }
const runs = { numRuns: 10 }

/** What an import reads of documents that a list gives as CSV. */
async function readBack(documents: string[], columns: ListColumn[], target: ImportTarget) {
  const page: ListPage = {
    count: documents.length,
    items: () => documents,
    documents: () => documents,
    columns: () => columns,
  }
  const { head, rows } = createCsvWriter({
    $labels: false,
    $bom: false,
    $formulas: 'quoted',
  }).begin(page)
  async function* text() {
    yield head + rows(page)
  }
  const read = await Array.fromAsync(readCsvRecords(text(), target))
  return read.map((item) => ('value' in item ? target.merge(undefined, item.value) : item))
}

const kept = (target: ImportTarget, given: unknown) => {
  const checked = target.check(given)
  return 'value' in checked ? checked.value.document : expect.unreachable(JSON.stringify(checked))
}

const collections = await Promise.all(
  collectionNames.map(async (name) => (await resources[name]?.())?.collection),
)

test.each(
  collections.flatMap((collection) => (collection ? [[collection.name, collection] as const] : [])),
)('any of the %s that a list gives as CSV is read as the same record', async (name, collection) => {
  const target = createRecordTarget(collection, 'org')
  // A booking is exported with its member's profile, which is not part of it.
  const { record, item = record } = collection
  const type = name === 'bookings' ? record : item
  const columns = recordColumns(type)
  const profile = { path: ['profile', 'Full Name'], name: 'profile.Full Name' }
  const shown = name === 'bookings' ? [...columns, profile] : columns
  await fc.assert(
    fc.asyncProperty(fc.array(recordsOf(name, columns, target), few), async (given) => {
      const documents = given.map((record) => kept(target, record))
      const told = documents.map((it) => `${it.slice(0, -1)},"profile":{"Full Name":"=A"}}`)
      const read = await readBack(name === 'bookings' ? told : documents, shown, target)
      expect(read).toEqual(given.map((record) => target.check(record)))
    }),
    runs,
  )
})

/** Records with the values of the example, or others where a property may be any text, number, list of texts or boolean. */
function recordsOf(name: string, columns: readonly ListColumn[], { check }: ImportTarget) {
  const example: Json = JSON.parse(readFileSync(`test/examples/${name}.json`, 'utf8'))
  const managed = { ...example, managedBy: 'org' }
  const values = columns.map(({ path }) => {
    const known = path.reduce((value: unknown, name) => (value as Json)[name], managed)
    const allows = (value: unknown) => 'value' in check(withAt({ ...managed }, path, value))
    const any: [sample: unknown, values: fc.Arbitrary<unknown>][] = [
      ['any text', texts],
      [0.5, fc.double({ noNaN: true, noDefaultInfinity: true })],
      [true, fc.boolean()],
      [['any text'], fc.array(texts)],
      [null, fc.constant(null)],
    ]
    const others = any.flatMap(([sample, values]) =>
      allows(sample) ? [values.filter(allows)] : [],
    )
    return fc.oneof(fc.constant(known), ...others).map((value) => ({ path, value }))
  })
  return fc
    .tuple(...values)
    .map((all) => all.reduce((made: Json, { path, value }) => withAt(made, path, value), {}))
}

function withAt(record: Json, [name = '', ...rest]: readonly string[], value: unknown): Json {
  record[name] = rest.length > 0 ? withAt({ ...(record[name] as Json) }, rest, value) : value
  return record
}

const ids = ['=1+1', ' padded ', 'a.b', '"quoted", both', 'two\nlines', "'", '__proto__', 'profile']

test('any person that a list gives as CSV is read as the same person', async () => {
  const types = ['text', 'number', 'boolean', 'tags', 'multipleSelect']
  const { data: schema = expect.unreachable() } = parseSchema('members', {
    fields: [
      ...ids.flatMap((id) =>
        types.map((type) => ({ id: type === 'text' ? id : `${id}${type}`, type })),
      ),
      { id: 'Postcode', type: 'postcode' },
      { id: 'line', type: 'divider' },
    ],
  })
  const target = createPersonTarget('members', schema)
  const idColumn = { path: ['memberId'], name: 'memberId' }
  const columns = [idColumn, ...fieldColumns(getLayout(JSON.stringify(schema)))]
  const others: Record<string, fc.Arbitrary<unknown>> = {
    text: texts,
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
    boolean: fc.boolean(),
    tags: fc.array(texts),
    multipleSelect: fc.array(texts),
  }
  const value = ({ type }: Field) =>
    fc.option(others[type] ?? fc.constant(undefined), { nil: undefined })
  const people = fc.tuple(
    texts.filter((text) => text !== '' && text.length < 256),
    ...schema.fields
      .filter(({ id, type }) => type !== 'divider' && !id.startsWith('Postcode.'))
      .map((field) => value(field).map((value) => [field.id, value] as const)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(people, few), async (given) => {
      const flat = given.map(([id, ...values]) => Object.fromEntries([['memberId', id], ...values]))
      const documents = flat.map((person) => kept(target, person))
      // Areas are exported too, and derived again.
      const told = documents.map((it) => `${it.slice(0, -1)},"Postcode.lad":"=Leeds"}`)
      const read = await readBack(told, columns, target)
      expect(read).toEqual(flat.map((person) => target.check(person)))
    }),
    runs,
  )
})
