import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowConverter } from '../../../src/import/candidates/convert-row.ts'
import { buildTableRules } from '../../../src/import/candidates/table-rules.ts'
import { type InspectOptions, inspectFile } from '../../../src/import/mapping/inspect-file.ts'
import { runs } from '../../runs.ts'
import { fileOf } from './files.ts'

type Value = string | number | boolean | null

const day = fc
  .integer({ min: Date.UTC(1930, 0, 1) / 864e5, max: Date.UTC(2029, 11, 31) / 864e5 })
  .map((days) => new Date(days * 864e5).toISOString().slice(0, 10))

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A column: its heading, its values, and how each is written. */
type Column = {
  heading: string
  values: Value[]
  write: (value: Value) => string
  isText?: boolean
}

const columnOf = <One extends Value>(
  heading: string,
  value: fc.Arbitrary<One>,
  spelling: fc.Arbitrary<(value: One) => string>,
  isText = false,
): fc.Arbitrary<Column> =>
  fc
    .tuple(
      fc.array(fc.option(value, { freq: 8 }), { minLength: 12, maxLength: 12 }),
      spelling,
      fc.constantFrom('', '', 'N/A', '-'),
    )
    .map(([values, spell, nothing]) => ({
      heading,
      values,
      write: (value) => (value === null ? nothing : spell(value as One)),
      isText,
    }))

const dates = columnOf(
  'Date of birth',
  day,
  fc.constantFrom(
    (iso: string) => iso,
    (iso: string) => iso.split('-').toReversed().join('/'),
    (iso: string) => iso.split('-').toReversed().map(Number).join('.'),
    (iso: string) => `${iso.slice(5, 7)}/${iso.slice(8)}/${iso.slice(0, 4)}`,
    (iso: string) => `${iso.slice(8)}-${months[Number(iso.slice(5, 7)) - 1]}-${iso.slice(2, 4)}`,
    (iso: string) => `${iso.slice(8)}/${iso.slice(5, 7)}/${iso.slice(0, 4)} 00:00`,
  ),
)

const amounts = columnOf(
  'Fee',
  fc.integer({ min: -1e9, max: 1e9 }).map((pence) => pence / 100),
  fc.constantFrom(
    (value: number) => value.toFixed(2),
    (value: number) => value.toLocaleString('en-GB', { minimumFractionDigits: 2 }),
    (value: number) =>
      `${value < 0 ? '-' : ''}£${Math.abs(value).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`,
    (value: number) => (value < 0 ? `(€${-value})` : `€${value}`),
    (value: number) => value.toFixed(2).replace('.', ','),
  ),
)

const booleans = columnOf(
  'Consent given',
  fc.boolean(),
  fc.constantFrom(
    ...[
      ['Yes', 'No'],
      ['Y', 'N'],
      ['TRUE', 'FALSE'],
      ['1', '0'],
      ['✓', '✗'],
    ].map(
      ([yes = '', no = '']) =>
        (value: boolean) =>
          value ? yes : no,
    ),
  ),
)

const phones = columnOf(
  'Telephone',
  fc.integer({ min: 0, max: 999 }).map((end) => `07700 900${String(end).padStart(3, '0')}`),
  fc.constantFrom(
    (phone: string) => phone,
    (phone: string) => phone.replaceAll(' ', ''),
  ),
  true,
)

const notes = columnOf(
  'Notes',
  fc.oneof(
    fc.constantFrom(
      '007',
      '1E+10',
      '4.47E+11',
      '12345678901234567890',
      'unknown',
      'none',
      "O'Hara",
      '=1+1',
      'a;b',
      '"x"',
      '1/2',
    ),
    fc.string({ unit: 'grapheme' }).map((text) => `x${text.replaceAll(/\s+/g, ' ').trim()}`),
  ),
  fc.constant((text: string) => text),
  true,
)

const cell = (text: string, separator: string) =>
  text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

test('a table of values in any spelling comes back unchanged or with a warning', async () => {
  const table = fc.record({
    columns: fc.tuple(dates, amounts, booleans, phones, notes),
    separator: fc.constantFrom(',', ';', '\t'),
    title: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(table, async ({ columns, separator, title }) => {
      const rows = Array.from({ length: 12 }, (_, row) => [
        `R${row}`,
        ...columns.map(({ values, write }) => write(values[row] ?? null)),
      ])
      const text = [
        ...(title ? ['Oak Trust'] : []),
        ...[['Ref', ...columns.map(({ heading }) => heading)], ...rows].map((cells) =>
          cells.map((one) => cell(one, separator)).join(separator),
        ),
      ].join('\r\n')
      const { table, proposal } = await inspectFile(fileOf(text, 'x.csv', 4096), {
        organisationId: 'oak',
        schemas: {},
        collection: 'members',
      })
      const prepared = await buildTableRules(proposal.mapping, 'oak', {})
      if ('errors' in prepared) throw new Error(JSON.stringify(prepared.errors))
      const converter = new RowConverter(
        proposal.mapping,
        table.headings,
        prepared.rules.targetFields,
      )
      const converted = await Array.fromAsync(table.rows(), (row) => converter.convert(row))
      expect(converted).toHaveLength(12)
      for (const [place, { heading, values, write, isText }] of columns.entries()) {
        const column = proposal.columns[place + 1]
        const path = proposal.mapping.columns.find((one) => one.heading === heading)?.field
        const inferred = prepared.rules.targetFields.find((one) => one.path === path)?.as
        for (const [row, value] of values.entries()) {
          const spelt = write(value)
          const given = converted[row]?.values.get(path ?? '')
          const isTold = converted[row]?.errors.some((fault) => fault.column === heading)
          if (isTold || column?.filled === 0) continue
          // Values that do not fit the inferred type are stored as text.
          const isSame =
            value === null
              ? given === null || given === undefined
              : isText || inferred === 'text' || inferred === 'option'
                ? given === spelt.trim() || (given === null && ['-', '.'].includes(spelt))
                : given === value
          // An ambiguous column of dates is reported with the chosen order.
          const isAmbiguous =
            heading === 'Date of birth' &&
            /is read as/.test(column?.decisions.join('') ?? '') &&
            /no date shows/.test(column?.decisions.join('') ?? '')
          expect([heading, spelt, given, isSame || isAmbiguous]).toEqual([
            heading,
            spelt,
            given,
            true,
          ])
        }
      }
    }),
    runs(50),
  )
})

/** The values and messages of a column's cells. */
async function converted(
  heading: string,
  cells: readonly string[],
  about: Partial<InspectOptions>,
) {
  const text = ['Ref', ...cells.map((_, row) => `R${row}`)]
    .map((ref, row) => `${ref}\t${row === 0 ? heading : cells[row - 1]}\n`)
    .join('')
  const whole = { organisationId: 'oak', schemas: {}, collection: 'members', ...about }
  const { table, proposal } = await inspectFile(fileOf(text, 'x.csv', 4096), whole)
  const prepared = await buildTableRules(proposal.mapping, 'oak', whole.schemas)
  if ('errors' in prepared) throw new Error(JSON.stringify(prepared.errors))
  const converter = new RowConverter(proposal.mapping, table.headings, prepared.rules.targetFields)
  const path = proposal.mapping.columns.find((one) => one.heading === heading)?.field ?? ''
  return Array.fromAsync(table.rows(), (row) => {
    const { values, errors, warnings } = converter.convert(row)
    return { value: values.get(path), isFault: errors.length > 0, isSaid: warnings.length > 0 }
  })
}

const schemaOf = (id: string, type: 'boolean' | 'number' | 'phone') => ({
  members: { name: '', fields: [{ id, name: id, label: id, type, order: 0 }] },
})

test('identifying numbers stay as written, or come with a warning', async () => {
  const digits = (length: number) =>
    fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
      .map((all) => all.join(''))
  const shortened = fc.constantFrom('4.47701E+11', '1E+15')
  const spelling = fc.oneof(
    digits(10).map((ten) => `0${ten}`),
    digits(18).map((long) => `1${long}`),
    fc.constantFrom('007', '0113 496 0000', '(0113) 496 0000'),
    shortened,
  )
  const about = [
    ...['Mobile', 'Account', 'NHS number'].map((heading) => ({ heading, schemas: {} })),
    { heading: 'Telephone', schemas: schemaOf('Telephone', 'phone') },
    { heading: 'Balance', schemas: schemaOf('Balance', 'number') },
  ]
  const column = fc.array(spelling, { minLength: 12, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...about), column, async ({ heading, schemas }, cells) => {
      const rows = await converted(heading, cells, { schemas })
      for (const [row, { value, isFault }] of rows.entries()) {
        const cell = cells[row] ?? ''
        const isLost = heading === 'Telephone' && /E\+/.test(cell)
        expect([cell, isFault || (!isLost && value)]).toEqual([cell, isFault || cell])
      }
    }),
    runs(50),
  )
})

test('an unclear answer is never stored as no without a warning', async () => {
  const spelling = fc.constantFrom(
    ...['Yes', 'No', 'unknown', 'Not known', "Don't know", 'don’t know', 'Not sure', 'maybe'],
    ...['Prefer not to say', 'Not asked', '', 'N/A', '?', 'Yes please', 'no thanks', 'x'],
  )
  const schemas = schemaOf('Consent', 'boolean')
  const bookings = { collection: 'bookings' }
  await fc.assert(
    fc.asyncProperty(fc.array(spelling, { minLength: 12, maxLength: 12 }), async (cells) => {
      for (const [heading, about] of [
        ['Consent', { schemas }],
        ['Checked in', bookings],
      ] as const) {
        for (const [row, one] of (await converted(heading, cells, about)).entries()) {
          const known = { Yes: true, No: false }[cells[row] ?? '']
          const isTold = one.isFault || one.isSaid
          if (known !== undefined)
            expect(one).toEqual({ value: known, isFault: false, isSaid: false })
          else
            expect([
              cells[row],
              one.value ?? null,
              isTold || /^(?:|N.A)$/.test(cells[row] ?? ''),
            ]).toEqual([cells[row], null, true])
        }
      }
    }),
    runs(50),
  )
})

test('a local time becomes the instant that local clocks showed, or an error', async () => {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/London',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const changes = [Date.UTC(2025, 2, 30), Date.UTC(2025, 9, 26)]
  const minute = fc.oneof(
    fc.integer({ min: Date.UTC(2020, 0, 1) / 6e4, max: Date.UTC(2030, 0, 1) / 6e4 }),
    fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -60, max: 240 }))
      .map(([day, after]) => day / 6e4 + after),
  )
  const column = fc.array(minute, { minLength: 12, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(column, async (minutes) => {
      const locals = minutes.map((one) =>
        new Date(one * 6e4).toISOString().slice(0, 16).replace('T', ' '),
      )
      const cells = locals.map(
        (one) => `${one.slice(8, 10)}/${one.slice(5, 7)}/${one.slice(0, 4)} ${one.slice(11)}`,
      )
      for (const [row, { value, isFault }] of (
        await converted('Event start', cells, { collection: 'events' })
      ).entries()) {
        const local = Date.parse(`${locals[row]?.replace(' ', 'T')}Z`)
        const possible = [local, local - 36e5].filter((at) => clock.format(at) === locals[row])
        const [only, ...others] = possible
        const isSure = only !== undefined && others.length === 0
        expect([cells[row], isFault ? undefined : Date.parse(String(value))]).toEqual([
          cells[row],
          isSure ? only : undefined,
        ])
      }
    }),
    runs(50),
  )
})
