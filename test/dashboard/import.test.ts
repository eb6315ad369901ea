import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import { app } from '../../src/app.ts'
import { advice } from '../../src/dashboard/import/steps/message-list.tsx'
import { openTable } from '../../src/import/rows/open-table.ts'
import { formatShortDay } from '../../src/model/dates.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { everything } from '../examples/everything.ts'
import { fileOf, workbook } from '../import/table/files.ts'
import { taking } from '../import/table/importing.ts'
import { createKey } from '../keys.ts'
import { base, type newOrganisation } from '../organisation.ts'
import { newSignedIn, unescaped } from './signed-in.ts'

const path = '/import'

type Organisation = Awaited<ReturnType<typeof newOrganisation>>

type FormValues = Record<string, string | readonly string[]>

/** Walks through an import: each step sends the previous page's form with changes, and the file. */
async function newImporter(role: Role = 'admin', existing?: Organisation, bindings: object = env) {
  const person = await newSignedIn(role, existing, bindings)
  async function send(
    step: string,
    formValues: FormValues = {},
    file?: string | Uint8Array<ArrayBuffer>,
    name = 'members.csv',
    init: RequestInit = {},
    context?: ExecutionContext,
  ) {
    const body = new FormData()
    for (const [field, values] of Object.entries(formValues))
      for (const value of [values].flat()) body.append(field, value)
    if (file !== undefined) body.append('file', new File([file], name))
    body.append('step', step)
    return person.visit(path, { method: 'POST', body, ...init }, context)
  }
  /** The stored records of a collection. */
  async function storedRecords(collection: string): Promise<Record<string, unknown>[]> {
    const { results } = await env.DB.prepare(
      'SELECT document FROM records WHERE organisation_id = ? AND collection = ? ORDER BY ordinal',
    )
      .bind(person.id, collection)
      .all<{ document: string }>()
    return results.map(({ document }) => JSON.parse(document))
  }
  return { ...person, send, storedRecords }
}

type Importer = Awaited<ReturnType<typeof newImporter>>

/** The fields that a page's form would send, and its text. */
async function read(response: Response) {
  const html = await response.text()
  const form: Record<string, string | string[]> = {}
  for (const [, attributes = ''] of html.matchAll(/<input([^>]*)>/g)) {
    const [, name] = /name="([^"]*)"/.exec(attributes) ?? []
    const [, value = ''] = /value="([^"]*)"/.exec(attributes) ?? []
    const isSent = !/type="(?:checkbox|radio)"/.test(attributes) || / checked/.test(attributes)
    if (!name || !isSent || attributes.includes('type="file"')) continue
    const text = unescaped(value)
    form[name] = name in form ? [form[name] ?? [], text].flat() : text
  }
  for (const [, name = '', options = ''] of html.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  )) {
    const chosen =
      /<option value="([^"]*)" selected/.exec(options) ?? /value="([^"]*)"/.exec(options)
    form[unescaped(name)] = unescaped(chosen?.[1] ?? '')
  }
  for (const [, name = '', text = ''] of html.matchAll(
    /<textarea[^>]*name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs,
  ))
    form[unescaped(name)] = unescaped(text).replace(/^\s+/, '')
  const [, rejectedRows = ''] =
    /<textarea[^>]*data-rejected-rows[^>]*>(.*?)<\/textarea>/s.exec(html) ?? []
  const text = unescaped(html.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ')
  return { status: response.status, form, text, rejectedRows: unescaped(rejectedRows), html }
}

const rows = Array.from(
  { length: 12 },
  (_, at) =>
    `M${at};Ann Abara ${at};ann${at}@people.test;${20 + (at % 9)}/01/1960;${at % 2 ? 'Yes' : 'No'}`,
)
const csv = ['Ref;Name;E-mail;Born;Gift Aid', ...rows].join('\r\n')

test('a file is read, reviewed and imported, and importing it again changes nothing', async () => {
  const { id, send, json } = await newImporter()
  const rejected = `${csv}\r\nM99;Bo;bo@people.test;31/02/1960;Yes`
  const page = await read(await send('review', {}, rejected))
  expect(page.text).toContain('13 rows of members. Nothing is saved until you import.')
  expect(page.form).toMatchObject({ collection: 'members', rows: '13', 'target.3': 'new' })
  expect(page.form).toMatchObject({
    'type.3': 'date',
    'label.3': 'Born',
    'cell.14.3': '31/02/1960',
  })
  expect(page.text).toContain(`12 new 0 will change 0 stay the same 1 need an answer`)
  expect(page.text).toContain('Born: 1 value cannot be read 1 row')
  expect(page.html).toContain('Import 12 rows')
  expect(await readSchemas(env.DB, id)).toEqual({})
  const donePage = await read(await send('import', page.form, rejected))
  expect(donePage.text).toContain('12 new 0 changed 0 stayed the same 1 not imported')
  expect(donePage.rejectedRows).toContain(
    '"M99","Bo","bo@people.test","31/02/1960","Yes","14","Born is not',
  )
  const { members } = await json<{ members: unknown[] }>('/members?Gift%20Aid=true')
  expect(members).toHaveLength(6)

  const unchanged = await read(await send('review', {}, csv))
  expect(unchanged.text).toContain('A file with the same headings was imported before')
  expect(unchanged.text).toContain('0 new 0 will change 12 stay the same 0 need an answer')
  expect(unchanged.text).toContain('There is nothing to import.')
  expect(unchanged.html).not.toContain('value="import"')
  const corrected = donePage.rejectedRows.replace('31/02', '28/02')
  const rejectedRows = await read(await send('review', {}, corrected, 'not-imported.csv'))
  const correctedPage = await read(await send('import', rejectedRows.form, corrected))
  expect(correctedPage.text).toContain('1 new 0 changed 0 stayed the same 0 not imported')
})

test('a cell is corrected on the page, or left empty, and stays so while other answers follow', async () => {
  const { send, storedRecords } = await newImporter()
  const more = rows
    .map((row) => row.replace(/^M/, 'N').replace('Ann', 'Bob').replace('ann', 'bob'))
    .join('\r\n')
  const file = `${csv}\r\n${more}\r\nM98;Bo;bo@people.test;31/02/1960;\r\nM99;Cy;cy@people.test;never;`
  const page = await read(await send('review', {}, file))
  const emptied = await read(await send('', { ...page.form, empty: '27.3' }, file))
  expect(emptied.text).toContain('25 new 0 will change 0 stay the same 1 need an answer')
  const corrected = { ...emptied.form, 'cell.26.3': '28/02/1960' }
  const again = await read(await send('review', corrected, file))
  expect(again.text).toContain('26 new 0 will change 0 stay the same 0 need an answer')
  await send('import', again.form, file)
  expect((await storedRecords('members')).slice(-2)).toEqual([
    expect.objectContaining({ 'Full Name': 'Bo', Born: '1960-02-28' }),
    expect.not.objectContaining({ Born: expect.anything() }),
  ])
})

test('one answer corrects all cells with the same error, and decides about all repeated rows', async () => {
  const { send, storedRecords } = await newImporter()
  const unclear = Array.from({ length: 3 }, (_, at) => `N${at};Bo ${at};bo${at}@people.test;soon;`)
  const repeated = rows.slice(0, 3).map((row) => row.replace('Ann', 'Anna').replace(/No$/, 'Yes'))
  const others = rows.map((row) => row.replace(/^M/, 'P').replaceAll(/ann/gi, 'Cy'))
  const file = [csv, ...others, ...unclear, ...repeated].join('\r\n')
  const page = await read(await send('review', {}, file))
  expect(page.text).toContain('Born: 3 values cannot be read 3 rows')
  expect(page.text).toContain('Same person, or a new one? 3 rows')
  const answer = { allCells: '3-0.value', 'cells.3-0.value': '1 May 1960' }
  const dated = await read(await send('', { ...page.form, ...answer }, file))
  expect(dated.text).not.toContain('cannot be read')
  expect(dated.text).toContain('27 new 0 will change 0 stay the same 3 need an answer')
  const [, value = ''] = /name="allRows" value="([^"]*)">The same people/.exec(dated.html) ?? []
  const decided = await read(await send('', { ...dated.form, allRows: unescaped(value) }, file))
  expect(decided.text).toContain('27 new 0 will change 0 stay the same 0 need an answer')
  await send('import', decided.form, file)
  const stored = await storedRecords('members')
  expect(stored).toContainEqual(expect.objectContaining({ Ref: 'M2', 'Gift Aid': true }))
  expect(stored.filter(({ Born }) => Born === '1960-05-01')).toHaveLength(3)
  for (const group of ['empty', 'out']) {
    const other = await read(await send('', { ...page.form, allCells: `3-0.${group}` }, file))
    expect(other.text).not.toContain('cannot be read')
  }
  expect((await send('', { ...page.form, allRows: '{"1":2}' }, file)).status).toBe(400)
})

test('errors come with advice', async () => {
  const { take } = await taking()
  const head = 'Membership Number,Member ID,Name,Email,Born,Consent,Gift'
  const storedRecords = [
    'M1,A1,Ann,ann@b.org,31/12/1960,Yes,£5',
    'M2,A2,Ann,ann@b.org,30/12/1960,No,£6',
  ]
  const rejected = [
    'M3,A3,Bo,bo@b.org,31/02/1960,perhaps,lots',
    'M4,A4,Bo,bo@b.org,03/25/1960,#REF!,$7',
    'M5,,Bo,bo@b.org,,,',
    'M6,A6,Bo,bo@b.org,,,,beyond',
    'M7,A1,Ann,ann@b.org,,,',
    'M1,A8,Bo,bo@b.org,,,',
  ]
  const mappingOptions = { id: 'Member ID' }
  await take([head, ...storedRecords].join('\n'), { mappingOptions })
  const { outcome } = await take([head, ...storedRecords, ...rejected].join('\n'), {
    mappingOptions,
  })
  const others = 'Name,Email,Membership Number\nAnn,ann@b.org,\nCy,cy@b.org,M1'
  const matched = await take(others, { mappingOptions: { match: ['email', 'name'] } })
  const errors = [...outcome.errors, ...matched.outcome.errors]
  expect(Object.fromEntries(errors.map(({ message, code }) => [message, advice[code]]))).toEqual({
    'is not a date, such as 31/12/2025 or 2025-12-31.': expect.stringMatching(/^Write the dates/),
    'is not a date if the day comes first.': expect.stringMatching(/^Correct the dates/),
    'is not a number.': expect.stringMatching(/^Write digits only/),
    'is not in GBP.': expect.stringMatching(/^Use one currency/),
    'must be yes or no.': expect.stringMatching(/^Write Yes or No/),
    'is a spreadsheet error, not a value.': expect.stringMatching(/^Correct the formula/),
    'is already used on an earlier line.': expect.stringMatching(/^Keep one of the lines/),
    'is the value of an earlier line, too.': expect.stringMatching(/^Keep one of the lines/),
    'is already used by another record.': expect.stringMatching(/or in the record that has it/),
    'is that of several stored people.': expect.stringMatching(/or in the record that has it/),
    'has more cells than there are headings: what separates cells may stand within a value.':
      expect.stringMatching(/quotation marks/),
    'has no value, and a record needs an id.': expect.stringMatching(/^Fill in the cell/),
  })
})

test('a script receives progress and then the page', async () => {
  const { send } = await newImporter()
  const manyRows = csv + Array.from({ length: 1200 }, (_, at) => `\r\nN${at};Bo;;;`).join('')
  const { form } = await read(await send('review', { collection: 'members' }, manyRows))
  const headers = { Accept: 'application/x-ndjson' }
  const context = createExecutionContext()
  const response = await send('import', form, manyRows, 'members.csv', { headers }, context)
  const text = new TextDecoder().decode(await response.arrayBuffer())
  const lines = text.trimEnd().split('\n')
  await waitOnExecutionContext(context)
  const messages = lines.map((line) => JSON.parse(line))
  expect(messages[0]).toEqual({ rows: 1000 })
  expect(messages).toContainEqual({ rows: 500, total: 1212 })
  expect(messages.at(-1).page).toContain('<strong>1,212</strong> new')
})

test('pasted rows and files without JavaScript work without state between the steps', async () => {
  const { send, json } = await newImporter()
  const pasted = csv.replaceAll(';', '\t')
  const question = await read(await send('review', { pasted: 'A\tB\n1\t2\n' }))
  expect([question.status, question.text]).toEqual([
    400,
    expect.stringContaining('Choose what the rows are.'),
  ])
  const page = await read(await send('review', { ...question.form, pasted, collection: 'members' }))
  expect(page.text).toContain('tabs between its cells')
  await send('import', page.form)
  expect((await json<{ members: unknown[] }>('/members')).members).toHaveLength(12)
  const forgotten = await read(await send('review', { mapping: page.form.mapping ?? '' }))
  expect([forgotten.status, forgotten.text.includes('Choose the file again.')]).toEqual([400, true])
})

test('an administrator adds a field for a column with its label, type and options', async () => {
  const { id, send, schema, storedRecords } = await newImporter()
  await schema('members', [
    { id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 },
  ])
  const { form } = await read(await send('review', {}, csv))
  expect(form).toMatchObject({ 'target.1': ':Full Name', 'target.4': 'omit' })
  const chosen = {
    ...form,
    ...{ 'target.4': 'new', 'label.4': 'Gift Aid?', 'type.4': 'select', 'options.4': 'Yes\nNo' },
    id: JSON.stringify({ columns: ['E-mail'], isMade: true }),
  }
  const nothing = await read(await send('review', { ...chosen, 'options.4': ' ' }, csv))
  expect(nothing.status).toBe(400)
  expect(nothing.html).toContain('id="field-target.4-error">The new field must have options')
  const checkPage = await read(await send('review', chosen, csv))
  expect(checkPage.text).toContain('1 field will be added to the schema of members.')
  expect(checkPage.text).toContain('2 of 5 matched')
  await send('import', checkPage.form, csv)
  const { members } = await readSchemas(env.DB, id)
  expect(members?.fields[1]).toMatchObject({
    id: 'Gift Aid',
    label: 'Gift Aid?',
    type: 'select',
    options: [
      { value: 'Yes', label: 'Yes' },
      { value: 'No', label: 'No' },
    ],
  })
  expect(await storedRecords('members')).toContainEqual({
    memberId: expect.stringMatching(/^[0-9a-f]{24}$/),
    'Full Name': 'Ann Abara 1',
    'Gift Aid': 'Yes',
  })
})

test('a file with many columns is mapped in one form with the proposed fields', async () => {
  const { id, send } = await newImporter()
  const buildWideFile = (columns: number) => {
    const headings = Array.from({ length: columns }, (_, at) => `Question ${at}`)
    return ['Ref', 'A', 'B']
      .map((row) => [row, ...headings.map((it) => it + row)].join())
      .join('\n')
  }
  const { form } = await read(await send('review', { collection: 'members' }, buildWideFile(300)))
  expect(form).toHaveProperty(['target.300'])
  expect(form).not.toHaveProperty(['label.300'])
  const checkPage = await read(
    await send('review', { ...form, 'target.300': 'new' }, buildWideFile(300)),
  )
  await send('import', checkPage.form, buildWideFile(300))
  const { members } = await readSchemas(env.DB, id)
  expect(members?.fields).toContainEqual(
    expect.objectContaining({ label: 'Question 299Ref', type: 'text' }),
  )
  const wider = await read(await send('review', { collection: 'members' }, buildWideFile(950)))
  expect([wider.status, wider.text]).toEqual([
    413,
    expect.stringContaining('Import it with the command line'),
  ])
})

test('the form asks once for a required value without a column', async () => {
  const { send, storedRecords } = await newImporter()
  const grants = 'Grant ID,Amount awarded\nG1,£5\nG2,£6\n'
  const { form } = await read(await send('review', {}, grants, 'grants.csv'))
  expect(form).toMatchObject({ 'shared.status': '' })
  const nothing = await read(await send('review', form, grants, 'grants.csv'))
  expect(nothing.html).toContain('id="field-shared.status-error"')
  const checkPage = await read(
    await send('review', { ...form, 'shared.status': 'applied' }, grants, 'grants.csv'),
  )
  await send('import', checkPage.form, grants, 'grants.csv')
  expect(await storedRecords('grant-applications')).toContainEqual(
    expect.objectContaining({ applicationId: 'G1', status: 'applied', amountAwarded: 5 }),
  )
})

test('a sign-in sheet asks for its event each time, even with a saved mapping', async () => {
  const { send, put, storedRecords } = await newImporter()
  await put(
    'events',
    ['one', 'two'].map((eventId) => ({
      id: eventId,
      document: { eventId, name: `Club ${eventId}`, start: '2025-06-01T10:00:00.000Z' },
    })),
  )
  const sheet = 'Name,E-mail,Came\nAnn,ann@b.org,Yes\nBo,bo@b.org,No\n'
  const name = 'bookings.csv'
  const mappingPage = await read(await send('review', {}, sheet, name))
  expect(mappingPage.text).toContain('Which event was this for?')
  expect(mappingPage.text).toContain('Club one Sunday 1 June 2025, 11am')
  expect(mappingPage.html).not.toContain('field-shared.eventId-error')
  for (const [form, eventId] of [
    [mappingPage.form, 'nothing'],
    [mappingPage.form, ''],
  ] as const) {
    const repeated = await read(
      await send('review', { ...form, 'shared.eventId': eventId }, sheet, name),
    )
    expect([repeated.status, repeated.html]).toEqual([
      400,
      expect.stringContaining('id="field-shared.eventId-error">Choose an event.'),
    ])
  }
  const checkPage = await read(
    await send('review', { ...mappingPage.form, 'shared.eventId': 'one' }, sheet, name),
  )
  expect(checkPage.text).toContain('2 new 0 will change 0 stay the same 0 need an answer')
  await send('import', checkPage.form, sheet, name)
  const next = await read(await send('review', {}, sheet, name))
  expect(next.text).toContain('A file with the same headings was imported before')
  const repeatedSheet = await read(await send('import', next.form, sheet, name))
  expect([repeatedSheet.status, repeatedSheet.text]).toEqual([
    400,
    expect.stringContaining('Choose an event.'),
  ])
  const secondEvent = await read(
    await send('review', { ...repeatedSheet.form, 'shared.eventId': 'two' }, sheet, name),
  )
  await send('import', secondEvent.form, sheet, name)
  expect((await storedRecords('bookings')).map(({ eventId, date }) => [eventId, date])).toEqual(
    ['one', 'one', 'two', 'two'].map((eventId) => [eventId, '2025-06-01']),
  )
})

test('changes are shown with old and new values first, and a rejected row changes nobody later', async () => {
  const { send, storedRecords } = await newImporter()
  const { form } = await read(await send('review', {}, csv))
  const checked = await read(await send('review', form, csv))
  expect(checked.text).not.toContain('Old and new values')
  await send('import', checked.form, csv)
  const changed = `${csv.replace('Ann Abara 3', 'Anna <b>Abara')}\r\nM4;Di;di@people.test;;\r\n`
  const repeated = await read(await send('review', {}, changed))
  const checkPage = await read(await send('review', repeated.form, changed))
  expect(checkPage.text).toContain('0 new 1 will change 11 stay the same 1 need an answer')
  expect(checkPage.html).toMatch(/records\/members\/M3">Ann Abara 3<\/a>/)
  expect(checkPage.text).toContain('Name From Ann Abara 3 to Anna <b>Abara')
  expect(checkPage.text).toContain('Row 14 has the Ref of row 6, M4.')
  expect(checkPage.html).not.toContain('<b>Abara')
  const donePage = await read(await send('import', checkPage.form, changed))
  const rejectedRows = await read(
    await send('review', {}, donePage.rejectedRows, 'not-imported.csv'),
  )
  const second = await read(
    await send('review', rejectedRows.form, donePage.rejectedRows, 'not-imported.csv'),
  )
  expect(second.text).toContain('0 new 0 will change 0 stay the same 1 need an answer')
  expect(await storedRecords('members')).toContainEqual(
    expect.objectContaining({ memberId: 'M4', 'Full Name': 'Ann Abara 4' }),
  )
  expect(second.text).toContain('Row 2 has the Ref of an earlier record, M4.')
  expect(second.text).toContain('Ann Abara 4, an earlier record: use the newer values')
  expect(second.text).not.toContain('write the id')
  const answers = { ...second.form, 'row.2': 'id:M4' }
  const chosen = await read(await send('review', answers, donePage.rejectedRows))
  expect(chosen.text).toContain('0 new 1 will change 0 stay the same 0 need an answer')
})

test('a row with the details of several people changes the one who is chosen', async () => {
  const { send, storedRecords, put } = await newImporter()
  const first = await read(await send('review', {}, csv))
  await send('import', first.form, csv)
  const [one = {}] = await storedRecords('members')
  await put('members', [{ id: 'twin', document: { ...one, memberId: 'twin', Ref: 'T1' } }])
  const file = 'Name,E-mail,Born\nAnn Abara 0,ann0@people.test,02/03/1961\n'
  const opened = await read(await send('review', {}, file))
  const matched = { ...opened.form, match: ['email', 'name'] }
  const page = await read(await send('review', matched, file))
  expect(page.text).toContain('Which person is this? 1 row')
  expect(page.text).toContain('Row 2 has the E-mail and Name of 2 people: ann0@people.test')
  expect(page.html).toMatch(
    /value="id:M0".*records\/members\/M0.*value="id:twin".*records\/members\/twin/s,
  )
  expect(page.text).not.toContain('several stored people')
  const out = await read(await send('review', { ...page.form, 'row.2': 'out' }, file))
  expect(out.text).not.toContain('Which person is this?')
  const chosen = await read(await send('review', { ...page.form, 'row.2': 'id:twin' }, file))
  await send('import', chosen.form, file)
  const born = (await storedRecords('members')).map(({ memberId, Born }) => [memberId, Born])
  expect(born).toContainEqual(['twin', '1961-03-02'])
  expect(born).toContainEqual(['M0', '1960-01-20'])
  await put(
    'members',
    Array.from({ length: 12 }, (_, n) => ({
      id: `other-${n}`,
      document: { ...one, memberId: `other-${n}`, Ref: `O${n}` },
    })),
  )
  const many = await read(await send('review', matched, file))
  expect(many.text).toContain('of 14 people')
  expect(many.html.match(/name="row.2" value="id:/g)).toHaveLength(10)
})

test('only changes that were shown and stay ticked are made', async () => {
  const { send, storedRecords } = await newImporter()
  const first = await read(await send('review', {}, csv))
  await send('import', first.form, csv)
  const changed = csv.replace('Ann Abara 3', 'Anna').replace('ann5@', 'anna5@')
  const page = await read(await send('review', {}, changed))
  expect(page.form).toMatchObject({ change: ['5.Full Name', '7.Email'] })
  const other = changed.replace('anna5@', 'annie5@')
  const unseen = await read(await send('import', page.form, other))
  expect(unseen.text).toContain('your answers change other values than the page showed')
  expect(unseen.text).toContain('to annie5@people.test')
  const done = await read(await send('import', { ...unseen.form, change: '7.Email' }, other))
  expect(done.text).toContain('0 new 1 changed 11 stayed the same')
  const stored = await storedRecords('members')
  expect(stored[3]).toMatchObject({ 'Full Name': 'Ann Abara 3' })
  expect(stored[5]).toMatchObject({ Email: 'annie5@people.test' })
})

const peopleFields = [
  { id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 },
  { id: 'Email', name: 'Email', label: 'E-mail', type: 'email', order: 1 },
  {
    id: 'Gender',
    name: 'Gender',
    label: 'Gender',
    type: 'select',
    order: 2,
    options: ['Woman', 'Man'].map((value) => ({ value, label: value })),
  },
  { id: 'News', name: 'News', label: 'E-mail news', type: 'boolean', order: 3 },
]

test('values that match no option and consent columns are questions, and the answers are remembered', async () => {
  const admin = await newImporter()
  const { send, storedRecords } = admin
  await admin.schema('members', peopleFields)
  const sheet =
    'Ref,Name,Gender,GDPR consent\nA1,Ann,Female,Yes\nA2,Bo,female,No\nA3,Cy,NB,Yes\nA4,Di,Man,\n'
  const page = await read(await send('review', {}, sheet))
  expect(page.text).toContain('1 new 0 will change 0 stay the same 3 need an answer')
  expect(page.text).toContain('Gender: 2 of 2 values match no option 3 rows')
  expect(page.text).toContain('Female (2 rows)')
  expect(page.text).toContain(
    'Consent: which field is “GDPR consent”? 1 column Yes 2, No 1, empty 1.',
  )
  const refused = await read(await send('import', page.form, sheet))
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('Nothing was imported. Answer the questions below.'),
  ])
  const answers = { ...page.form, 'value.2.0': '=Woman', 'target.3': ':News' }
  const added = await read(await send('', { ...answers, add: 'value.2.1' }, sheet))
  expect(added.form).toMatchObject({
    'value.2.0': '=Woman',
    'value.2.1': 'add',
    'target.3': ':News',
  })
  expect(added.text).toContain('4 new 0 will change 0 stay the same 0 need an answer')
  await send('import', added.form, sheet)
  expect((await storedRecords('members')).map(({ Gender, News }) => [Gender, News])).toEqual([
    ['Woman', true],
    ['Woman', false],
    ['NB', true],
    ['Man', undefined],
  ])
  const editor = await newImporter('editor', admin)
  const next = sheet.replaceAll('A', 'B').replace('Man,', 'Male,').replace('Bo,female', 'Bo,FEMALE')
  const nextPage = await read(await editor.send('review', {}, next))
  expect(nextPage.text).toContain('3 new 0 will change 0 stay the same 1 need an answer')
  expect(nextPage.form).toMatchObject({ 'value.2.0': '=Woman', 'value.2.1': '' })
  expect(nextPage.text).toContain('As last time')
  expect(nextPage.text).not.toContain('Add “Male”')
  const forged = await read(
    await editor.send('import', { ...nextPage.form, 'value.2.1': 'add' }, next),
  )
  expect(forged.text).toContain('Only administrators can add fields and options.')
})

test('a consent column that a person leaves out stays left out', async () => {
  const { send, schema } = await newImporter()
  await schema('members', peopleFields)
  const sheet = 'Ref,Name,Opt in to radio\nA1,Ann,BBC\n'
  const page = await read(await send('review', {}, sheet))
  const done = await read(await send('import', { ...page.form, 'target.2': 'left-out' }, sheet))
  expect(done.text).toContain('1 new')
  const next = await read(await send('review', {}, sheet.replace('A1', 'A2')))
  expect(next.text).not.toContain('Consent:')
  expect(next.form['target.2']).toBe('left-out')
})

test('a yes or no about something else may be left out', async () => {
  const { send } = await newImporter()
  const sheet = 'id,title,fromOpenCall\nG1,Ramp,Y\n'
  const page = await read(await send('review', { collection: 'grant-applications' }, sheet))
  expect(page.text).toContain('1 row of grant applications')
  expect(page.text).not.toContain('Consent:')
})

test.each([
  ['OK with photos?', 'Anything'],
  ['Photos', 'Yes'],
  ['State', 'Opted out'],
])('a column "%s" with "%s" is not left out before a person decides', async (heading, cell) => {
  const { send, schema } = await newImporter()
  await schema('members', peopleFields)
  const sheet = `Ref,Name,${heading}\nA1,Ann,${cell}\n`
  const page = await read(await send('review', {}, sheet))
  expect(page.text).toContain(`Consent: which field is “${heading}”?`)
  const refused = await read(await send('import', page.form, sheet))
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('Nothing was imported. Answer the questions below.'),
  ])
})

test('people who may be the same are shown, and are one person if somebody says so', async () => {
  const { send, schema, put, storedRecords } = await newImporter()
  await schema('members', peopleFields)
  await put('members', [
    { id: 'M1', document: { memberId: 'M1', 'Full Name': 'Joan', Email: 'joan@b.org' } },
  ])
  const sheet =
    'Ref,Name,E-mail\nA1,Joan Redfern,joan@b.org\nA2,Bo,bo@b.org\nA3,Bob,BO@b.org\nA3,Cy,cy@b.org\n'
  const first = await read(await send('review', {}, sheet))
  const id = JSON.stringify({ columns: ['Ref'], isMade: false })
  const page = await read(await send('review', { ...first.form, id }, sheet))
  expect(page.text).toContain(
    'Joan Redfern, row 2, has the same e-mail address as Joan , who has a record.',
  )
  expect(page.html).toContain('/records/members/M1">Joan</a>')
  expect(page.text).toContain('Bob, row 4, has the same e-mail address as Bo, row 3.')
  expect(page.text).toContain('Row 5 has the Ref of row 4, A3.')
  expect(page.text).toContain('1 new 0 will change 0 stay the same 3 need an answer')
  const rows = Object.keys(page.form).filter((name) => name.startsWith('row.'))
  expect(rows).toEqual([])
  const answers = { ...page.form, 'row.2': 'id:M1', 'row.4': 'line:3', 'row.5': 'new' }
  const shown = await read(await send('import', answers, sheet))
  expect(shown.text).toContain('your answers change other values than the page showed')
  expect(shown.text).toContain('2 new 1 will change')
  await send('import', shown.form, sheet)
  expect((await storedRecords('members')).map((member) => member['Full Name'])).toEqual([
    ...['Joan Redfern', 'Bob', 'Cy'],
  ])
})

test('nobody becomes a second record without an answer, and all questions are reached', async () => {
  const { send, schema, put, storedRecords } = await newImporter()
  const phone = { id: 'Phone', name: 'Phone', label: 'Phone', type: 'phone', order: 4 }
  await schema('members', [...peopleFields, phone])
  const stored = Array.from({ length: 42 }, (_, at) => ({
    ...{ memberId: `M${at}`, 'Full Name': `Ann ${at}`, Email: `ann${at}@b.org` },
    Phone: `0770090${1000 + at}`,
  }))
  await put(
    'members',
    stored.map((document) => ({ id: document.memberId, document })),
  )
  const sheet = [
    'Ref,Name,E-mail,Phone',
    'A1,Bo,bo@b.org,07700901000',
    ...stored.slice(1).map(({ Email }, at) => `B${at},Ann,${Email},`),
  ].join('\n')
  const page = await read(await send('review', {}, sheet))
  expect(page.text).toContain('0 new 0 will change 0 stay the same 42 need an answer')
  expect(page.text).toContain('2 more questions of this kind.')
  expect(page.text).not.toContain('has the same phone number')
  const lines = [...page.html.matchAll(/name="(row\.\d+)" value="new"/g)].map(([, name]) => name)
  expect(lines).toHaveLength(40)
  const answers = Object.fromEntries(lines.map((name) => [name, 'new']))
  const rest = await read(await send('review', { ...page.form, ...answers, 'row.3': 'out' }, sheet))
  expect(rest.text).toContain('39 new 0 will change 0 stay the same 3 need an answer')
  expect(rest.text).toContain('has the same phone number as Ann 0 , who has a record.')
  expect(rest.text).not.toContain('more question')
  expect([...rest.html.matchAll(/name="row\.(\d+)" value="new"/g)].map(([, row]) => row)).toEqual([
    ...['43', '2'],
  ])
  const done = await read(await send('import', rest.form, sheet))
  expect(done.text).toContain('39 new 0 changed 0 stayed the same 3 not imported')
  expect(await storedRecords('members')).toHaveLength(42 + 39)
  expect(done.rejectedRows).toContain('"A1","Bo"')
})

test.each([
  ['an id made of it', { id: JSON.stringify({ columns: ['E-mail'], isMade: true }) }],
  ['a match by it', { match: 'email' }],
])('rows with the same e-mail address by %s are not said to share an id', async (_, choice) => {
  const { send, schema } = await newImporter()
  await schema('members', peopleFields)
  const sheet = 'Ref,Name,E-mail\nA1,Bo,bo@b.org\nA2,Bob,bo@b.org\n'
  const first = await read(await send('review', {}, sheet))
  const page = await read(await send('review', { ...first.form, ...choice }, sheet))
  expect(page.text).toContain('Row 3 has the same E-mail as row 2: bo@b.org.')
  expect(page.text).toContain('Bob: a new person Leave row 3 out')
})

test('the sign-in sheet of one date of a series marks the register and adds members', async () => {
  const { send, schema, put, post, storedRecords } = await newImporter()
  await schema('members', peopleFields)
  const series = { eventId: 'club', name: 'Lunch club', recurrence: { recurring: true } }
  const [past, later] = [-8, -1].map((days) => new Date(Date.now() + days * 864e5).toISOString())
  await put(
    'events',
    [
      series,
      { eventId: 'club-1', name: 'Lunch club', start: past, parentEventId: 'club' },
      { eventId: 'club-2', name: 'Lunch club', start: later, parentEventId: 'club' },
    ].map((document) => ({ id: document.eventId, document })),
  )
  const sheet = 'Name,E-mail,Came\nAnn,ann@b.org,Yes\nBo,bo@b.org,No\n'
  const name = 'sign-in-bookings.csv'
  const page = await read(await send('review', {}, sheet, name))
  expect(page.form['sheet.choices']).toEqual(['', 'marks', 'members'])
  const dates = await read(
    await send('review', { ...page.form, 'shared.eventId': 'club' }, sheet, name),
  )
  expect(dates.text).toContain('Lunch club repeats: choose one of its dates.')
  expect(dates.html).toContain('value="club-2"')
  const ready = await read(
    await send('review', { ...dates.form, 'shared.eventId': 'club-2' }, sheet, name),
  )
  expect(ready.text).toContain('have no record as members: 1 new member')
  const donePage = await read(await send('import', ready.form, sheet, name))
  const [ann] = await storedRecords('members')
  expect(ann).toMatchObject({ 'Full Name': 'Ann', Email: 'ann@b.org' })
  expect(await storedRecords('bookings')).toMatchObject([
    { memberId: ann?.memberId, eventId: 'club', childEventId: 'club-2', orgStatus: 'attended' },
    { memberId: '', eventId: 'club', childEventId: 'club-2', orgStatus: 'absent' },
  ])
  const [, stored = ''] = /href="[^"]*(\/import\/done\/\d+)"/.exec(donePage.html) ?? []
  await post(`${stored}/undo`, [])
  expect([await storedRecords('members'), await storedRecords('bookings')]).toEqual([[], []])
})

test('answers fill the questions of their form, which is chosen if the file does not name it', async () => {
  const { send, put, storedRecords } = await newImporter()
  const question = (questionId: string, title: string) => ({
    questionId,
    title,
    type: 'text',
    options: [],
  })
  await put(
    'forms',
    ['spring', 'autumn'].map((formId) => ({
      id: formId,
      document: {
        ...{
          formId,
          name: `The ${formId} form`,
          type: 'survey',
          formFor: 'Members',
          schemaForm: false,
        },
        questions: [question('q1', 'What did you like?'), question('q2', 'What next?')],
      },
    })),
  )
  const answers =
    'Timestamp,What did you like?,What next?\n' +
    '01/02/2025 10:00:00,Music,Walks\n01/02/2025 11:00:00,Cake,\n'
  const collectionPage = await read(
    await send('review', { collection: 'survey-responses' }, answers, 'a.csv'),
  )
  expect(collectionPage.html).toContain('id="field-form-error">It does not say which form')
  const mappingPage = await read(
    await send('review', { ...collectionPage.form, form: 'autumn' }, answers, 'a.csv'),
  )
  const checkPage = await read(await send('review', mappingPage.form, answers, 'a.csv'))
  expect(checkPage.text).toContain('2 new 0 will change 0 stay the same 0 need an answer')
  await send('import', checkPage.form, answers, 'a.csv')
  expect(await storedRecords('survey-responses')).toContainEqual(
    expect.objectContaining({ surveyId: 'autumn', date: '2025-02-01T10:00:00.000Z' }),
  )
})

test('editors import, but only administrators add fields, even with a forged form', async () => {
  const admin = await newImporter()
  const editor = await newImporter('editor', admin)
  const first = await read(await editor.send('review', { collection: 'members' }, csv))
  expect([first.status, first.text.includes('There are no fields of members yet')]).toEqual([
    400,
    true,
  ])
  const { form } = await read(await admin.send('review', {}, csv))
  const checkPage = await read(await admin.send('review', form, csv))
  for (const step of ['check', 'import', 'import']) {
    expect([step, (await editor.send(step, checkPage.form, csv)).status]).toEqual([step, 400])
  }
  expect(await readSchemas(env.DB, admin.id)).toEqual({})
  await admin.send('import', checkPage.form, csv)
  const mapping = JSON.stringify({
    ...JSON.parse(String(checkPage.form.mapping)),
    fields: [{ id: 'Forged', type: 'text' }],
  })
  const forged = await read(await editor.send('import', { mapping }, csv))
  expect([forged.status, forged.text.includes('Only administrators can add fields')]).toEqual([
    400,
    true,
  ])
  const repeated = await read(await editor.send('review', {}, csv.replaceAll('Abara', 'Abbot')))
  const changed = await read(
    await editor.send('review', repeated.form, csv.replaceAll('Abara', 'Abbot')),
  )
  expect(changed.text).toContain('0 new 12 will change 0 stay the same 0 need an answer')
  expect(changed.text).toContain('12 people, 12 values')
  const donePage = await read(
    await editor.send('import', changed.form, csv.replaceAll('Abara', 'Abbot')),
  )
  expect(donePage.text).toContain('0 new 12 changed')
})

describe('an import rejects', () => {
  test('readers, other organisations and other sites before it reads the file', async () => {
    const admin = await newImporter()
    const reader = await newImporter('reader', admin)
    const stranger = await newImporter()
    let isRead = false
    const body = () =>
      new ReadableStream(
        {
          pull() {
            isRead = true
            throw new Error('the file was read')
          },
        },
        { highWaterMark: 0 },
      )
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' }
    const answers = await Promise.all([
      reader.visit(path, { method: 'POST', body: body(), headers: type }),
      reader.visit(path),
      stranger.visit(`/../${admin.id}${path}`, { method: 'POST', body: body(), headers: type }),
      admin.visit(path, {
        method: 'POST',
        body: body(),
        headers: { ...type, Origin: 'https://evil.test' },
      }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 404, 403])
    expect(isRead).toBe(false)
    expect(await reader.html('/records/members')).not.toContain('/import"')
  })

  test.each<[string, number, string, (one: Importer) => Promise<Response>]>([
    ['no file', 400, 'Choose a file', ({ send }) => send('collection')],
    ['an empty file', 400, 'is empty', ({ send }) => send('review', {}, '')],
    ['a picture', 400, 'NUL', ({ send }) => send('review', {}, new Uint8Array(2000))],
    [
      'a file of more than 20 MiB',
      413,
      'at most 20 MB',
      ({ send }) => send('review', {}, new Uint8Array((20 << 20) + 1)),
    ],
    [
      'damaged data of a program',
      400,
      'Line 1 cannot be read: export it from the other program again, as CSV if possible.',
      ({ send }) => send('review', {}, '[{"Name":}]', 'members.json'),
    ],
    [
      'too many rows',
      413,
      'at most 50,000 rows',
      ({ send }) =>
        send('review', { collection: 'members' }, `Ref,Name\n${'a,b\n'.repeat(50_001)}`),
    ],
    [
      'more pasted rows than a form holds',
      413,
      'too many rows to paste',
      ({ send }) => send('review', { pasted: 'a\n'.repeat(1 << 20) }),
    ],
    [
      'a form of more than 1,000 fields',
      413,
      'at most 1,000 fields',
      ({ send }) => send('review', { match: Array<string>(1000).fill('') }, csv),
    ],
    [
      'a workbook that unfolds to far more than it is',
      400,
      'unfolds to far more',
      async ({ send }) =>
        send(
          'collection',
          {},
          (await workbook({ S: '<row/>'.repeat(400_000) })).slice(),
          'members.xlsx',
        ),
    ],
    [
      'an invalid mapping',
      400,
      'Start again with the file',
      ({ send }) => send('review', { mapping: '{"collection":"things"}' }, csv),
    ],
    [
      'a mapping to an unknown field',
      400,
      'is no field or property of members',
      ({ send }) =>
        send(
          'import',
          {
            mapping: JSON.stringify({
              collection: 'members',
              id: { columns: ['Ref'], isMade: false },
              columns: [{ heading: 'Name', field: '__proto__' }],
              fields: [{ id: 'Name', type: 'text' }],
            }),
          },
          csv,
        ),
    ],
    [
      'an incomplete form',
      400,
      'form is incomplete',
      ({ visit }) =>
        visit(path, {
          method: 'POST',
          headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
          body: '--x\r\nContent-Disposition: form-data; name="step"\r\n\r\nwhat',
        }),
    ],
    ['another form', 415, 'multipart/form-data', ({ post }) => post(path, [['step', 'what']])],
  ])('%s', async (_, status, message, asking) => {
    const importer = await newImporter()
    const response = await read(await asking(importer))
    expect([response.status, response.text]).toEqual([status, expect.stringContaining(message)])
    expect(await readSchemas(env.DB, importer.id)).toEqual({})
  })
})

test('headings may be names of JavaScript properties', async () => {
  const { id, send, storedRecords } = await newImporter()
  const hostile =
    'Ref,__proto__,constructor,<script>alert(1)</script>,toString\n' +
    Array.from({ length: 12 }, (_, at) => `R${at},p${at},c${at},s${at},t${at}\n`).join('')
  const mappingPage = await read(await send('review', { collection: 'members' }, hostile))
  expect(mappingPage.html).not.toContain('<script>alert')
  const checkPage = await read(await send('review', mappingPage.form, hostile))
  expect(checkPage.text).toContain('12 new')
  await send('import', checkPage.form, hostile)
  const { members } = await readSchemas(env.DB, id)
  expect(members?.fields.map(({ id }) => id)).toEqual([
    'Ref',
    '__proto__',
    'constructor',
    '<script>alert(1)</script>',
    'toString',
  ])
  const [first] = await storedRecords('members')
  expect(Object.entries(first ?? {})).toContainEqual(['__proto__', 'p0'])
})

/** A series with a date on each Monday from 1 September 2025, and its sheet's headings. */
async function withSeries(dates: number) {
  const importer = await newImporter()
  await importer.schema('members', peopleFields)
  const days = Array.from({ length: dates }, (_, index) =>
    new Date(Date.UTC(2025, 8, 1 + 7 * index)).toISOString().slice(0, 10),
  )
  const event = { ...everything.events?.document, managedBy: importer.id, name: 'Lunch club' }
  const recurrence = { type: 'weekly', recurring: true, rrule: '' }
  const series = { ...event, eventId: 'club', recurrence, parentEventId: null }
  const documents = days.map((day) => ({
    ...{ ...event, eventId: day, start: `${day}T10:00:00.000Z`, parentEventId: 'club' },
  }))
  await importer.put(
    'events',
    [series, ...documents].map((document) => ({ id: document.eventId, document })),
  )
  return { ...importer, days }
}

const sheetName = 'club.csv'

test('a sheet of ticks asks for its series, its empty cells and its new dates, and is undone as a whole', async () => {
  const { send, post, storedRecords } = await withSeries(2)
  const before = await storedRecords('events')
  const sheet = 'Name,1 Sep,8 Sep,15 Sep\nAnn Abara,✓,,x\nBo Fenn,A,✓,?!\nCy Orr,✓,✓,✓\n'
  const page = await read(await send('review', {}, sheet, sheetName))
  expect(page.text).toContain('A sheet of ticks with 3 people and 3 dates.')
  expect(page.text).toContain('Lunch club on 2 dates of the sheet')
  expect(page.text).toContain('1 cell is empty.')
  const unanswered = await read(await send('import', page.form, sheet, sheetName))
  expect([unanswered.status, unanswered.text]).toEqual([
    400,
    expect.stringContaining('Choose a series.'),
  ])
  const ofSeries = { ...page.form, 'shared.eventId': 'club' }
  const dated = await read(await send('review', ofSeries, sheet, sheetName))
  expect(dated.text).toContain('The dates are read as 1 Sep 2025, 8 Sep 2025, 15 Sep 2025.')
  expect(dated.text).toContain('1 date has no event 15 Sep 2025.')
  const answers = { 'ticks.dates': 'create', 'ticks.empty': 'absent' }
  const marks = await read(await send('review', { ...dated.form, ...answers }, sheet, sheetName))
  expect(marks.text).toContain('7 new 0 will change 0 stay the same 2 need an answer')
  const values = { 'value.2.0': '=true', 'value.2.2': '=false' }
  expect(JSON.parse(String(marks.form['texts.2']))).toEqual(['x', 'A', '?!'])
  const ready = await read(await send('review', { ...marks.form, ...values }, sheet, sheetName))
  expect(ready.text).toContain('9 new 0 will change 0 stay the same 0 need an answer')
  expect(ready.text).toContain('have no record as members: 3 new members')
  const donePage = await read(await send('import', ready.form, sheet, sheetName))
  expect(donePage.text).toContain('3 people became members.')
  expect(
    (await storedRecords('bookings')).map(({ userName, date, orgStatus }) =>
      [userName, date, orgStatus].join(' '),
    ),
  ).toEqual([
    ...[
      'Ann Abara 2025-09-01 attended',
      'Ann Abara 2025-09-08 absent',
      'Ann Abara 2025-09-15 attended',
    ],
    ...['Bo Fenn 2025-09-01 absent', 'Bo Fenn 2025-09-08 attended', 'Bo Fenn 2025-09-15 absent'],
    ...['01', '08', '15'].map((day) => `Cy Orr 2025-09-${day} attended`),
  ])
  const again = await read(await send('review', {}, sheet, sheetName))
  const known = await read(
    await send('review', { ...again.form, 'shared.eventId': 'club' }, sheet, sheetName),
  )
  expect(known.text).toContain('0 new 0 will change 9 stay the same 0 need an answer')
  const [, stored = ''] = /href="[^"]*(\/import\/done\/\d+)"/.exec(donePage.html) ?? []
  await post(`${stored}/undo`, [])
  expect([await storedRecords('members'), await storedRecords('bookings')]).toEqual([[], []])
  expect(await storedRecords('events')).toEqual(before)
})

test('dates in an unclear order are a question, unless one order fits the series', async () => {
  const { send } = await withSeries(2)
  const ask = async (sheet: string, answers: Record<string, string> = {}) => {
    const { form } = await read(await send('review', {}, sheet, sheetName))
    const chosen = { ...form, 'shared.eventId': 'club', 'ticks.dates': 'leave out', ...answers }
    return read(await send('review', chosen, sheet, sheetName))
  }
  // 8 September is a date of the series, and 9 August none.
  const clear = await ask('Name,08/09/2025\nAnn,x\nBo,x\n')
  expect(clear.text).toContain('The dates are read as 8 Sep 2025. Each has an event.')
  expect(clear.text).toContain('2 new 0 will change')
  const unclear = 'Name,03/04/2025,10/04/2025\nAnn,x,x\n'
  const open = await ask(unclear)
  expect(open.text).toContain('Needs an answer 1 question')
  expect(open.text).toContain('Order of day and month')
  const answered = await ask(unclear, { 'ticks.order': 'month-first' })
  expect(answered.text).toContain('The dates are read as 4 Mar 2025, 4 Oct 2025.')
  expect(answered.text).not.toContain('Needs an answer')
})

/** Sheets of ticks: the marks of people for a number of dates. */
const sheets = fc.integer({ min: 1, max: 6 }).chain((dates) =>
  fc.array(
    fc.record({
      name: fc.constantFrom('Ann Day', "Bo O'Neil", 'Çy Zú', 'Di Day', 'Ed Śmith'),
      marks: fc.array(fc.constantFrom('✓', '✗', ''), { minLength: dates, maxLength: dates }),
    }),
    { minLength: 2, maxLength: 10 },
  ),
)

test('a sheet of ticks that is imported is downloaded again, as CSV and as a workbook', async () => {
  await fc.assert(
    fc.asyncProperty(sheets, async (rows) => {
      const dates = rows[0]?.marks.length ?? 0
      const people = rows.map(({ name, marks }, index) => ({ name: `${name} ${index}`, marks }))
      const booked = people.filter(({ marks }) => marks.some(Boolean))
      fc.pre(booked.length > 0)
      const { send, visit, days, storedRecords } = await withSeries(dates)
      const headings = days.map((day) => formatShortDay(day))
      const lines = [['Name', ...headings], ...people.map(({ name, marks }) => [name, ...marks])]
      const text = lines.map((cells) => cells.join(',')).join('\n')
      const answers = { 'shared.eventId': 'club', 'ticks.empty': 'not booked' }
      const page = await read(await send('review', {}, text, sheetName))
      const ready = await read(await send('review', { ...page.form, ...answers }, text, sheetName))
      await send('import', ready.form, text, sheetName)

      const members = new Map(
        (await storedRecords('members')).map((member) => [member['Full Name'], member.memberId]),
      )
      const expected = booked
        .toSorted((one, other) => new Intl.Collator('en-GB').compare(one.name, other.name))
        .map(({ name, marks }) => [name, members.get(name) ?? '', ...marks])
      const marked = booked.flatMap(({ marks }) => marks.filter(Boolean)).length
      for (const format of ['csv', 'xlsx']) {
        const file = `registers.${format}`
        const answer = await visit(`/events/club/sheet/${format}`)
        const bytes = new Uint8Array(await answer.arrayBuffer())
        const { ticks } = await openTable(fileOf(bytes, file, 1000))
        if (!ticks) throw new Error('The download is no sheet of ticks.')
        const { matrix } = ticks
        expect(matrix.headings).toEqual(['Name', 'Member ID', ...headings])
        const cells = (await Array.fromAsync(matrix.rows())).map((row) => row.cells)
        // A workbook leaves empty cells at the end of a row out.
        expect(cells.map((row) => matrix.headings.map((_, column) => row[column] ?? ''))).toEqual(
          expected,
        )
        const repeated = await read(await send('review', {}, bytes, file))
        const same = await read(await send('review', { ...repeated.form, ...answers }, bytes, file))
        expect(same.text).toContain(`0 new 0 will change ${marked} stay the same 0 need an answer`)
      }
    }),
    { numRuns: 5 },
  )
})

test('the registers of a series are downloaded only by readers of its organisation', async () => {
  const { visit } = await withSeries(1)
  expect(await (await visit('/records/events/club')).text()).toContain('/events/club/sheet/xlsx"')
  const steward = await newSignedIn('steward')
  const reader = await newSignedIn('reader')
  const statuses = [visit, steward.visit, reader.visit].map(
    async (visit) => (await visit('/events/club/sheet/csv')).status,
  )
  expect(await Promise.all(statuses)).toEqual([200, 403, 404])
})

test('a trial imports no more than 500 people, until its operator confirms', async () => {
  const trial = { ...env, TRIAL: 'true' }
  const limited = await newImporter('admin', undefined, trial)
  const fields = [{ id: 'Name', name: 'Name', label: 'Name', type: 'text', order: 0 }]
  await limited.schema('members', fields)
  const people = Array.from({ length: 495 }, (_, at) => ({
    id: `stored-${at}`,
    document: { memberId: `stored-${at}`, Name: `Ada ${at}` },
  }))
  await limited.put('members', people)
  const file = (from: number, to: number) =>
    [
      'Id,Name',
      ...Array.from({ length: to - from }, (_, at) => `N${from + at},Bo ${from + at}`),
    ].join('\n')
  const review = await read(await limited.send('review', {}, file(0, 5)))
  expect(review.text).toContain('5 new')
  const refused = await limited.send('review', {}, file(0, 6))
  const message = 'This trial imports at most 500 people'
  expect([refused.status, (await read(refused)).text]).toEqual([
    403,
    expect.stringContaining(message),
  ])
  // A form that was reviewed with a smaller file writes nothing either.
  expect((await limited.send('import', review.form, file(0, 6))).status).toBe(403)
  const { key } = await createKey(env, limited.id, 'writer', 'a test', undefined, ['write'])
  const upload = (bindings: object, from: number, to: number) =>
    app.request(
      `${base}/imports?collection=members`,
      {
        method: 'POST',
        headers: { 'x-api-key': key, 'Content-Type': 'text/csv' },
        body: file(from, to).replace('Id', 'memberId'),
      },
      bindings,
      createExecutionContext(),
    )
  const refusedUpload = await upload(trial, 0, 6)
  expect([refusedUpload.status, await refusedUpload.json()]).toMatchObject([
    403,
    { type: 'FORBIDDEN', message: expect.stringContaining(message) },
  ])
  expect(await limited.storedRecords('members')).toHaveLength(495)
  expect((await upload(trial, 0, 5)).status).toBe(200)
  // Known people are not new.
  expect((await upload(trial, 0, 5)).status).toBe(200)
  expect((await upload({ ...trial, STORAGE_CONFIRMED: 'true' }, 5, 6)).status).toBe(200)
  expect((await upload(env, 6, 7)).status).toBe(200)
  expect(await limited.storedRecords('members')).toHaveLength(502)
})
