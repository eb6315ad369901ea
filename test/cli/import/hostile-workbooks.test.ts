import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { once } from '../../../src/platform/once.ts'
import { workbook } from '../../import/table/files.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = await temporaryFolder()

/** A comment that cannot be compressed: a workbook may unfold to 250 times its size. */
const padding = (bytes: number) => `<!--${randomBytes(bytes).toString('base64')}-->`

/** Repeats a text with three varying letters. */
function pieces(count: number, piece: (letters: string) => string) {
  const letters = randomBytes(30_000).toString('base64url')
  const block = Array.from({ length: 10_000 }, (_, at) => piece(letters.slice(at, at + 3)))
  // Too long to be compressed as a repetition.
  return block.join('').repeat(count / block.length)
}

const row = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>2</v></c></row>'

/** A zip of so many entries, each empty. */
function emptyEntries(count: number): Uint8Array {
  const size = 51
  const bytes = Buffer.alloc(count * size + 22)
  for (let entry = 0; entry < count; entry++) {
    const at = entry * size
    bytes.writeUInt32LE(0x02014b50, at)
    bytes.writeUInt16LE(5, at + 28)
    bytes.write(entry.toString(36).padStart(5, '0'), at + 46)
  }
  const end = count * size
  bytes.writeUInt32LE(0x06054b50, end)
  bytes.writeUInt16LE(count % 2 ** 16, end + 8)
  bytes.writeUInt16LE(count % 2 ** 16, end + 10)
  bytes.writeUInt32LE(end, end + 12)
  return bytes
}

/** A workbook of so many sheets, all of which are one. */
function manySheets(count: number) {
  const numbers = Array.from({ length: count }, (_, sheet) => sheet)
  const sheets = numbers.map((n) => `<sheet name="S${n}" sheetId="${n}" r:id="r${n}"/>`)
  const links = numbers.map((n) => `<Relationship Id="r${n}" Target="worksheets/sheet1.xml"/>`)
  return workbook(
    { S: row },
    {
      'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets.join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${links.join('')}</Relationships>`,
    },
  )
}

const cases: [name: string, make: () => Uint8Array | Promise<Uint8Array>, outcome: object][] = [
  [
    '4,000,000 nested tags',
    () => workbook({ S: padding(100_000) + row + '<a>'.repeat(4_000_000) }),
    { message: 'has tags that are nested more than 100 deep.' },
  ],
  [
    'a cell of 1,500,000 pieces',
    () => {
      const cell = pieces(1_500_000, (letters) => `<![CDATA[${letters}]]>`)
      return workbook({ S: `${row}<row><c t="inlineStr"><is><t>${cell}</t></is></c></row>` })
    },
    { message: 'has a cell of more than 100,000 characters.' },
  ],
  [
    'a shared text of 2,000,000 pieces',
    () => {
      const text = pieces(2_000_000, (letters) => `<t>${letters}</t>`)
      return workbook({ S: row }, { 'xl/sharedStrings.xml': `<sst><si>${text}</si></sst>` })
    },
    { message: 'has a cell of more than 100,000 characters.' },
  ],
  [
    '400,000 entries',
    () => emptyEntries(400_000),
    {
      message:
        'has more than 10,000 parts, or names of parts of more than 2 MB: save the sheet as CSV.',
    },
  ],
  ['250,000 sheets', () => manySheets(250_000), { message: 'has more than 1,000 sheets.' }],
]

/** Reads all of them in one process with less memory than a Worker has. Returns the outcome of each. */
const readInLittleMemory = once(async (): Promise<object[]> => {
  const paths: string[] = []
  for (const [index, [, make]] of cases.entries()) {
    const path = join(folder, `hostile-${index}.xlsx`)
    await writeFile(path, await make())
    paths.push(path)
  }
  const command = ['--max-old-space-size=64', 'test/cli/import/read-workbook.ts', ...paths]
  const { stdout } = await promisify(execFile)(process.execPath, command)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
})

test.each(cases.map(([name, , outcome], index) => ({ name, outcome, index })))(
  '$name are read in bounded memory',
  async ({ outcome, index }) => {
    expect((await readInLittleMemory())[index]).toEqual(outcome)
  },
)
