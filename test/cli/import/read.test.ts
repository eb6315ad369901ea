import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileSource } from '../../../cli/import/import-files.ts'
import { readPartialRecords } from '../../../src/import/rows/partial-records.ts'
import { UnreadableFileError } from '../../../src/import/source/source.ts'
import { createRecordTarget } from '../../../src/import/targets/record-target.ts'
import { collection as events } from '../../../src/resources/events.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = await temporaryFolder()
const target = createRecordTarget(events, 'org-1')

/** The records read from a file of events; the last is why no more could be read, if so. */
async function read(extension: string, content: string | Uint8Array): Promise<unknown[]> {
  const path = join(folder, `events${extension}`)
  await writeFile(path, content)
  const items: unknown[] = []
  try {
    for await (const item of readPartialRecords(fileSource(path), target)) items.push(item)
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    items.push({ line: error.line, unreadable: error.message })
  }
  return items
}

const value = (line: number, given: unknown) => ({ line, value: given })
const invalid = (line: number) => ({ line, broken: 'is not valid JSON.' })
const notWhole = 'is not whole: it ends before its brackets do.'
const notAList = 'must be a JSON list or an object with a list under "events".'
const goesOn = 'has more after its end: is it two files in one?'
const notUtf8 = 'is not text in UTF-8; a spreadsheet saves it as "CSV UTF-8".'

describe('JSON', () => {
  test.each([
    ['a list', '[{"a":1},{"a":2}]', [value(1, { a: 1 }), value(1, { a: 2 })]],
    ['a list with nothing', ' [ ] \n', []],
    [
      'lines of objects',
      '\n{"a":{"events":[]}}\n\n{"a":2',
      [value(2, { a: { events: [] } }), invalid(4)],
    ],
    ['a byte order mark', '\uFEFF[{"a":1}]', [value(1, { a: 1 })]],
    [
      'a value that is no object',
      '[1,"a",null,[2]]',
      [1, 'a', null, [2]].map((one) => value(1, one)),
    ],
    [
      'an envelope with other properties',
      '{"info":{"events":[{"a":0}]},"x":"events","n":1,"events":[{"a":[[1]]}],"other":[{"a":9}]}\n',
      [value(1, { a: [[1]] })],
    ],
    [
      'brackets, quotes and backslashes in texts',
      String.raw`[{"a":"]}\\\"[{,"},{"b":"\\"}]`,
      [value(1, { a: String.raw`]}\"[{,` }), value(1, { b: '\\' })],
    ],
  ])('of %s', async (_, text, expected) => {
    expect(await read('.json', text)).toEqual(expected)
  })

  test('has the line each record begins at', async () => {
    const text = JSON.stringify({ events: [{ a: 1, b: [2] }, { a: 2 }, 3] }, null, 2)
    const lines = text.split('\n')
    const begins = [lines.indexOf('    {') + 1, lines.lastIndexOf('    {') + 1]
    expect(begins).toEqual([3, 9])
    for (const breaks of [text, text.replaceAll('\n', '\r\n')]) {
      expect(await read('.json', breaks)).toMatchObject([{ line: 3 }, { line: 9 }, { line: 12 }])
    }
  })

  test('is read in pieces of any length', async () => {
    const records = Array.from({ length: 3000 }, (_, index) => ({
      eventId: `e${index}`,
      name: '"é]}\\🎈,{['.repeat(index % 40),
    }))
    const text = JSON.stringify(records, null, 1)
    expect(text.length).toBeGreaterThan(3 * (1 << 18))
    expect(await read('.json', text)).toEqual(
      records.map((record, index) => value(2 + index * 4, record)),
    )
  })

  test.each([
    ['between good records', '[{"a":1},\n{"a":secret},\n{"a":3}]', [1, 3]],
    ['without a comma between', '[{"a":1},\n{"b":1}{"c":1},\n{"a":3}]', [1, 3]],
    ['where one is missing', '[{"a":1},\n,\n{"a":3}]', [1, 3]],
    ['after the last comma', '[{"a":1},{"a":3},\n]', [1, 3]],
  ])('names a broken record %s, and quotes nothing', async (_, text, good) => {
    const items = await read('.json', text)
    expect(items.filter((item) => Object.hasOwn(Object(item), 'broken'))).toEqual([invalid(2)])
    expect(items).toEqual(
      expect.arrayContaining(good.map((a) => expect.objectContaining({ value: { a } }))),
    )
  })

  test.each([
    ['', 1, notAList],
    ['  \n', 2, notAList],
    ['{"a":1}', 1, notAList],
    ['{"members":[{"a":1}]}', 1, notAList],
    ['"events"', 1, notAList],
    ['not JSON, but a secret', 1, notAList],
    ['[{"a":1},\n{"a":', 2, notWhole],
    ['[{"a":1},\n{"a":"b', 2, notWhole],
    ['[{"a":1}\n', 2, notWhole],
    ['{"events":[{"a":1}],\n"offset"', 2, notWhole],
    ['[{"a":1}]\n[{"a":2}]', 2, goesOn],
    ['{"events":[{"a":1}]}\n{"events":[{"a":2}]}', 2, goesOn],
    ['[{"a":1}]x', 1, goesOn],
  ])('%j is refused whole', async (text, line, unreadable) => {
    expect((await read('.json', text)).at(-1)).toEqual({ line, unreadable })
  })
})

describe('NDJSON', () => {
  test('has a record a line, also with other line ends, empty lines and a byte order mark', async () => {
    expect(await read('.ndjson', '\uFEFF{"a":1}\r\n\n  \n{"a":"\u2028"}\n3')).toEqual([
      value(1, { a: 1 }),
      value(4, { a: '\u2028' }),
      value(5, 3),
    ])
    expect(await read('.ndjson', '')).toEqual([])
  })

  test('names every broken line, and quotes nothing', async () => {
    expect(await read('.ndjson', '{"a":secret}\n{"a":1}\n{"a"')).toEqual([
      invalid(1),
      value(2, { a: 1 }),
      invalid(3),
    ])
  })
})

describe('CSV', () => {
  test('has a property a column, of the type that the record has it in, and null for an empty cell', async () => {
    const text = [
      'eventId,name,tags,attendees,bookable,venue.postcode,bookingDetails.price,recurrence,concluded',
      'e1,"Tea, ""cake""",a; b;;c;,12,TRUE,SW1A 1AA,2.50,"{""type"":""weekly""}",',
      '007,7,one,many,no,1e3,,weekly,2025-01-02',
    ].join('\n')
    expect(await read('.csv', text)).toEqual([
      value(2, {
        eventId: 'e1',
        name: 'Tea, "cake"',
        tags: ['a', 'b', 'c'],
        attendees: 12,
        bookable: true,
        venue: { postcode: 'SW1A 1AA' },
        bookingDetails: { price: 2.5 },
        recurrence: { type: 'weekly' },
        concluded: null,
      }),
      value(3, {
        eventId: '007',
        name: '7',
        tags: ['one'],
        attendees: 'many',
        bookable: 'no',
        venue: { postcode: '1e3' },
        bookingDetails: { price: null },
        recurrence: 'weekly',
        concluded: '2025-01-02',
      }),
    ])
  })

  test.each([['\n'], ['\r\n'], ['\r']])(
    'may end its lines with %j, and cells may have lines',
    async (end) => {
      const rows = ['\uFEFFeventId, name ', '', 'e1,"a', 'b', 'c"', ',', '', 'e2,d', 'e3,"e', 'f"']
      expect(await read('.csv', rows.join(end))).toEqual([
        value(3, { eventId: 'e1', name: ['a', 'b', 'c'].join(end) }),
        value(8, { eventId: 'e2', name: 'd' }),
        value(9, { eventId: 'e3', name: ['e', 'f'].join(end) }),
      ])
    },
  )

  test('names every row with too many or too few cells', async () => {
    expect(await read('.csv', 'eventId,name\ne1\ne2,b\ne3,c,secret\n')).toEqual([
      { line: 2, broken: 'has 1 cells for 2 columns.' },
      value(3, { eventId: 'e2', name: 'b' }),
      { line: 4, broken: 'has 3 cells for 2 columns.' },
    ])
  })

  const noNames = 'has no row of column names: none is of events.'
  test.each([
    ['', 1, 'has no row of column names.'],
    ['\n\n', 1, 'has no row of column names.'],
    ['Jane Secret,jane@example.org\n', 1, noNames],
    ['eventId;name\n', 1, noNames],
    ['eventId,Name,venue.colour,constructor\n', 1, 'has unknown columns: B, C, D.'],
    ['eventId,name,\n', 1, 'has a column without a name.'],
    ['\neventId,name,eventId\n', 2, 'has columns twice: eventId.'],
    ['eventId,venue,venue.name\n', 1, 'has columns twice: venue.name.'],
    ['eventId,name\ne1,"secret\n', 2, 'is not valid CSV.'],
    ['eventId,name\ne1,a"secret"\n', 2, 'is not valid CSV.'],
  ])('%j is refused whole', async (text, line, unreadable) => {
    expect(await read('.csv', text)).toEqual([{ line, unreadable }])
  })
})

test.each([['.json'], ['.ndjson'], ['.csv']])(
  'a %s file in another encoding is refused rather than its letters spoilt',
  async (extension) => {
    const text = extension === '.csv' ? 'eventId,name\ne1,José' : '[{"name":"José"}]'
    expect((await read(extension, Buffer.from(text, 'latin1'))).at(-1)).toEqual({
      line: 0,
      unreadable: notUtf8,
    })
  },
)
