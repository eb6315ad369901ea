import { describe, expect, test } from 'vitest'
import { UnreadableFileError } from '../../../src/import/source/source.ts'
import { endlessFile, fileOf, read, workbook } from './files.ts'

const utf16 = (text: string, isBig: boolean, mark = true) => {
  const codes = [...(mark ? '\uFEFF' : ''), ...text].map((letter) => letter.charCodeAt(0))
  return new Uint8Array(
    codes.flatMap((code) => (isBig ? [code >> 8, code & 255] : [code & 255, code >> 8])),
  )
}

describe('text', () => {
  const text = 'Name;Town\r\nZoë;"Ll;an"\r\n'
  const rows = [[2, 'Zoë', 'Ll;an']]
  const windows = new Uint8Array(
    [...text, '£€–']
      .join('')
      .split('')
      .map((letter) => ({ '€': 0x80, '–': 0x96 })[letter] ?? letter.charCodeAt(0)),
  )

  test.each([
    ['utf-8', new TextEncoder().encode(text)],
    ['utf-8', new TextEncoder().encode(`\uFEFF${text}`)],
    ['utf-16le', utf16(text, false)],
    ['utf-16be', utf16(text, true)],
    ['utf-16le', utf16(text, false, false)],
    ['utf-16be', utf16(text, true, false)],
  ])('in %s is read', async (encoding, bytes) => {
    const table = await read(fileOf(bytes))
    expect(table).toMatchObject({
      format: { encoding, separator: ';' },
      headings: ['Name', 'Town'],
      rows,
    })
  })

  test('in Windows-1252 is read, when a letter far down says that it is no UTF-8', async () => {
    const { format, rows } = await read(fileOf(windows))
    expect(format).toMatchObject({ encoding: 'windows-1252' })
    expect(rows).toEqual([
      [2, 'Zoë', 'Ll;an'],
      [3, '£€–'],
    ])
  })

  test.each([',', ';', '\t', '|'])('is read with %j between its cells', async (separator) => {
    const cells = [
      ['Name', 'Notes'],
      ['Ann', `"a, b; c | d\n""e""${separator}"`],
      ['Bo', '5" nail'],
    ]
    const { headings, rows } = await read(
      fileOf(cells.map((row) => row.join(separator)).join('\n')),
    )
    expect(headings).toEqual(['Name', 'Notes'])
    expect(rows).toEqual([
      [2, 'Ann', `a, b; c | d\n"e"${separator}`],
      [4, 'Bo', '5" nail'],
    ])
  })

  test('has its headings below titles and blank lines, each called once', async () => {
    const file =
      'sep=,\r\nOak Trust,,\r\n\r\nMembers on 01/11/2025,,,\r\n Name ,Email,Email,\r\nAnn,a@b.org,,x\r\n'
    expect(await read(fileOf(file))).toMatchObject({
      headings: ['Name', 'Email', 'Email (2)', 'Column D'],
      headingLine: 5,
      rows: [[6, 'Ann', 'a@b.org', '', 'x']],
    })
  })

  test.each([
    ['', 'is empty.'],
    ['Ann,a@b.org,12\nBo,b@b.org,13\n', 'has no row of headings among its first 2'],
    ['Name,Born\n"Ann,1960\n', 'is not valid CSV.'],
    ['Name,Born\nAnn\0,1960\n', 'has NUL characters'],
    ['%PDF-1.7', 'is a document and no table'],
  ])('that is no table is refused: %j', async (text, message) => {
    await expect(read(fileOf(text))).rejects.toThrow(message)
  })
})

test('JSON and JSON lines are tables of the properties of all records, also of one called __proto__', async () => {
  const records = '{"id":1,"a":{"b":true},"tags":["x","y"],"none":null}'
  const other = '{"id":"2","__proto__":{"c":"d"},"list":[{"e":1}]}'
  const headings = ['id', 'a.b', 'tags', 'none', '__proto__.c', 'list']
  const rows = [
    [1, '1', 'true', 'x;y', '', '', ''],
    [2, '2', '', '', '', 'd', '[{"e":1}]'],
  ]
  const lines = await read(fileOf(`${records}\n${other}\n`, 'x.ndjson'))
  expect(lines).toMatchObject({ headings, rows })
  const named = await read(fileOf(`${records}\n${other}\n`, 'x.json'))
  expect(named).toMatchObject({ format: { kind: 'ndjson' }, headings, rows })
  expect(await read(fileOf(`{"data":[${records},\n${other}]}`))).toMatchObject({ headings, rows })
  await expect(read(fileOf('[1]', 'x.json'))).rejects.toThrow('has a record that is not an object.')
})

describe('a workbook', () => {
  const head =
    '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>2</v></c><c r="C3" t="inlineStr"><is><t>Phone</t></is></c><c t="str"><f>1</f><v>At</v></c></row>'
  const row =
    '<row r="5"><c r="A5" t="s"><v>1</v></c><c r="B5" s="1"><v>46022</v></c><c r="C5" s="3"><v>7700900123</v></c><c r="D5" s="2"><v>45658.5</v></c></row>'
  const odd =
    '<row r="6"><c r="B6" t="b"><v>1</v></c><c r="C6"><v>0.30000000000000004</v></c><c r="D6" t="e"><v>#N/A</v></c></row>'

  test('is read from its first or the chosen sheet: dates as dates, zeros and digits as shown', async () => {
    const bytes = await workbook({
      Members: `<row r="1"><c r="A1" t="inlineStr"><is><t>Oak</t></is></c></row>${head}${row}${odd}`,
      Other: head + row,
    })
    expect(await read(fileOf(bytes, 'x.bin', 100))).toMatchObject({
      format: { kind: 'xlsx', sheet: 'Members', sheets: ['Members', 'Other'] },
      headings: ['Name', 'Born', 'Phone', 'At'],
      headingLine: 3,
      rows: [
        [5, 'Ann Abara', '2025-12-31', '07700900123', '2025-01-01 12:00:00'],
        [6, '', 'TRUE', '0.3', '#N/A'],
      ],
    })
    expect(await read(fileOf(bytes), 'other')).toMatchObject({ format: { sheet: 'Other' } })
    await expect(read(fileOf(bytes), 'Third')).rejects.toThrow(
      'has no sheet Third; its sheets: Members, Other.',
    )
  })

  test('that is damaged, or no workbook, is refused', async () => {
    const bytes = await workbook({ Members: head + row })
    await expect(read(fileOf(bytes.slice(0, -30)))).rejects.toThrow('is damaged')
    const broken = await workbook({ Members: `${head}<row><c>` })
    await expect(read(fileOf(broken))).rejects.toThrow('is damaged')
    await expect(read(fileOf(new Uint8Array([0xd0, 0xcf, 0x11])))).rejects.toThrow('Excel 2003')
  })
})

describe('a hostile file is refused in bounded memory', () => {
  test.each([
    [
      'one line of a gigabyte',
      endlessFile('Name,Born\nAnn,', 'a'.repeat(2 ** 20), 1024),
      'has a record of more than',
    ],
    [
      'a gigabyte of one quoted cell',
      endlessFile('Name,Born\n"', 'a\n'.repeat(2 ** 19), 1024),
      'has a record of more than',
    ],
    ['a million columns', endlessFile('a', ',a'.repeat(1000), 1000), 'a table may have 2,000'],
    [
      'a gigabyte of one JSON text',
      endlessFile('[{"a":"', 'a'.repeat(2 ** 20), 1024),
      'has a record of more than',
    ],
  ])('%s', async (_, file, message) => {
    await expect(read(file)).rejects.toThrow(message)
  })

  test('a workbook that unfolds to far more than it is', async () => {
    const bomb = await workbook({ S: '<row/>'.repeat(400_000) })
    expect(bomb.length).toBeLessThan(2 ** 14)
    await expect(read(fileOf(bomb, 'x', 1000))).rejects.toThrow('unfolds to far more')
  })

  test('a workbook with cells a million columns apart', async () => {
    const wide = await workbook({
      S: '<row><c r="A1" t="s"><v>0</v></c><c r="XFD1" t="s"><v>0</v></c></row>',
    })
    await expect(read(fileOf(wide))).rejects.toThrow('has 16,384 columns')
  })

  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  /** A text that is compressed to no less than a hundredth. */
  const text = (length: number) =>
    Array.from({ length: length / 6 }, (_, at) => 100_000 + at).join('')

  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    [
      'a row of more text than a record has',
      { S: `<row>${cell(text(99_996)).repeat(21)}</row>` },
      {},
      'has a record of more than',
    ],
    [
      'a tag of a million characters',
      { S: `<row><c r="${text(1_200_000)}"/></row>` },
      {},
      'has a text or a tag of more than a million characters.',
    ],
    [
      'a tag of many attributes',
      { S: `<row ${Array.from({ length: 201 }, (_, at) => `a${at}=""`).join(' ')}/>` },
      {},
      'has a tag of more than 200 attributes.',
    ],
    [
      'many styles',
      { S: '' },
      { 'xl/styles.xml': `<s><cellXfs>${'<xf/>'.repeat(65_537)}</cellXfs></s>` },
      'has more than 65,536 styles of cells.',
    ],
    ['a long name of a sheet', { [text(258)]: '' }, {}, 'name of more than 255 characters.'],
    [
      'long names of parts',
      { S: '' },
      Object.fromEntries(Array.from({ length: 40 }, (_, at) => [text(60_000) + at, ''])),
      'names of parts of more than 2 MB',
    ],
  ])('a workbook with %s', async (_, sheets, more, message) => {
    const file = await workbook(sheets, more)
    await expect(read(fileOf(file, 'x', 1000))).rejects.toThrow(message)
  })

  test('a workbook with nested text entities', async () => {
    const laughs = Array.from(
      { length: 9 },
      (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
    )
    const doctype = `<!DOCTYPE sst [<!ENTITY l0 "ha">${laughs.join('')}]>`
    const more = { 'xl/sharedStrings.xml': `${doctype}<sst><si><t>&l9;</t></si></sst>` }
    const wide = await workbook({ S: '<row><c r="A1" t="s"><v>0</v></c></row>' }, more)
    await expect(read(fileOf(wide, 'x', 1000))).rejects.toThrow('is damaged')
  })

  test('records with different properties', async () => {
    const lines = Array.from({ length: 2001 }, (_, at) => `{"p${at}":1}\n`)
    await expect(read(fileOf(lines.join(''), 'x.ndjson', 1000))).rejects.toThrow('may have 2,000')
  })

  test('ten levels of quotes are one text', async () => {
    let text = 'end'
    for (let level = 0; level < 10; level++) text = `"${text.replaceAll('"', '""')}"`
    const { rows } = await read(fileOf(`Name,Born\n${text},x\n`, 'members.csv', 1000))
    expect(rows[0]?.[1]).toContain('""end""')
  })
})

test('what cannot be read says on which line', async () => {
  const error = await read(fileOf('Name,Born\nAnn,1\n"Bo,2\n')).catch((error) => error)
  expect(error).toBeInstanceOf(UnreadableFileError)
})
