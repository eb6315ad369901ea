import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { Role } from '../../src/auth/memberships.ts'
import { advice } from '../../src/dashboard/import/result.tsx'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { workbook } from '../import/table/files.ts'
import { taking } from '../import/table/importing.ts'
import type { newOrganisation } from '../organisation.ts'
import { newSignedIn, unescaped } from './signed-in.ts'

const path = '/import'

type Organisation = Awaited<ReturnType<typeof newOrganisation>>

type FormValues = Record<string, string | readonly string[]>

/** Walks through an import: each step sends the previous page's form with changes, and the file. */
async function newImporter(role: Role = 'admin', existing?: Organisation) {
  const person = await newSignedIn(role, existing)
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
  const form: Record<string, string> = {}
  for (const [, attributes = ''] of html.matchAll(/<input([^>]*)>/g)) {
    const [, name] = /name="([^"]*)"/.exec(attributes) ?? []
    const [, value = ''] = /value="([^"]*)"/.exec(attributes) ?? []
    if (name && !/type="(?:checkbox|file)"/.test(attributes)) form[name] = unescaped(value)
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

test('a file is read, mapped, checked and imported, and importing it again changes nothing', async () => {
  const { id, send, json } = await newImporter()
  const collectionPage = await read(await send('collection', {}, csv))
  expect(collectionPage.text).toContain('UTF-8 text with semicolons between its cells')
  expect(collectionPage.form).toMatchObject({ collection: 'members', rows: '12' })
  const mappingPage = await read(await send('mapping', collectionPage.form, csv))
  expect(mappingPage.form).toMatchObject({ 'target.3': 'new', 'type.3': 'date', 'label.3': 'Born' })
  const rejected = `${csv}\r\nM99;Bo;bo@people.test;31/02/1960;Yes`
  const checkPage = await read(await send('check', mappingPage.form, rejected))
  expect(checkPage.text).toContain('12 new 0 changed 0 unchanged 1 rejected')
  expect(checkPage.text).toContain(
    'Born is not a date, such as 31/12/2025 or 2025-12-31. 1 row line 14: 31/02/1960',
  )
  expect(await readSchemas(env.DB, id)).toEqual({})
  const withErrors = await read(await send('import-all', checkPage.form, rejected))
  expect(withErrors.text).toContain('Nothing was imported: some rows have errors.')
  const donePage = await read(await send('import-valid', checkPage.form, rejected))
  expect(donePage.text).toContain('12 new 0 changed 0 unchanged 1 rejected')
  expect(donePage.rejectedRows).toContain(
    '"M99","Bo","bo@people.test","31/02/1960","Yes","14","Born is not',
  )
  const { members } = await json<{ members: unknown[] }>('/members?Gift%20Aid=true')
  expect(members).toHaveLength(6)

  const repeated = await read(await send('collection', {}, csv))
  expect(repeated.text).toContain('A file with the same headings was imported before')
  const unchanged = await read(await send('check', repeated.form, csv))
  expect(unchanged.text).toContain('0 new 0 changed 12 unchanged 0 rejected')
  expect(unchanged.text).toContain('There is nothing to import.')
  expect(unchanged.html).not.toContain('value="import-all"')
  const corrected = donePage.rejectedRows.replace('31/02', '28/02')
  const rejectedRows = await read(await send('collection', {}, corrected, 'not-imported.csv'))
  const correctedPage = await read(await send('import-all', rejectedRows.form, corrected))
  expect(correctedPage.text).toContain('1 new 0 changed 0 unchanged 0 rejected')
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
    'is no date when it is read day first.': expect.stringMatching(/^Correct the dates/),
    'is not a number.': expect.stringMatching(/^Write digits only/),
    'is not in GBP.': expect.stringMatching(/^Use one currency/),
    'must be yes or no.': expect.stringMatching(/^Write Yes or No/),
    'is an error of the spreadsheet, and no value.': expect.stringMatching(/^Correct the formula/),
    'is already used on an earlier line.': expect.stringMatching(/^Keep one of the lines/),
    'is the value of an earlier line, too.': expect.stringMatching(/^Keep one of the lines/),
    'is already used by another record.': expect.stringMatching(/or in the record that has it/),
    'is that of several people who are kept already.': expect.stringMatching(
      /or in the record that has it/,
    ),
    'has more cells than there are headings: what separates cells may stand within a value.':
      expect.stringMatching(/quotation marks/),
    'has no value, and a record needs an id.': expect.stringMatching(/^Fill in the cell/),
  })
})

test('a script receives progress and then the page', async () => {
  const { send } = await newImporter()
  const manyRows = csv + Array.from({ length: 1200 }, (_, at) => `\r\nN${at};Bo;;;`).join('')
  const { form } = await read(await send('mapping', { collection: 'members' }, manyRows))
  const headers = { Accept: 'application/x-ndjson' }
  const context = createExecutionContext()
  const response = await send('import-all', form, manyRows, 'members.csv', { headers }, context)
  const text = new TextDecoder().decode(await response.arrayBuffer())
  const lines = text.trimEnd().split('\n')
  await waitOnExecutionContext(context)
  const messages = lines.map((line) => JSON.parse(line))
  expect(messages.slice(0, 2)).toEqual([{ rows: 1000 }, { rows: 500, total: 1212 }])
  expect(messages.at(-1).page).toContain('<strong class="figure">1,212</strong> new')
})

test('pasted rows and files without JavaScript work without state between the steps', async () => {
  const { send, json } = await newImporter()
  const pasted = csv.replaceAll(';', '\t')
  const collectionPage = await read(await send('collection', { pasted, collection: 'members' }))
  expect(collectionPage.text).toContain('tabs between its cells')
  const mappingPage = await read(await send('mapping', collectionPage.form))
  const checkPage = await read(await send('check', mappingPage.form))
  await send('import-all', checkPage.form)
  expect((await json<{ members: unknown[] }>('/members')).members).toHaveLength(12)
  const forgotten = await read(await send('check', { mapping: checkPage.form.mapping ?? '' }))
  expect([forgotten.status, forgotten.text.includes('Choose the file again.')]).toEqual([400, true])
})

test('an administrator adds a field for a column with its label, type and options', async () => {
  const { id, send, schema, storedRecords } = await newImporter()
  await schema('members', [
    { id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 },
  ])
  const { form } = await read(await send('mapping', {}, csv))
  expect(form).toMatchObject({ 'target.1': ':Full Name', 'target.4': 'omit' })
  const chosen = {
    ...form,
    ...{ 'target.4': 'new', 'label.4': 'Gift Aid?', 'type.4': 'select', 'options.4': 'Yes\nNo' },
    id: JSON.stringify({ columns: ['E-mail'], isMade: true }),
  }
  const nothing = await read(await send('check', { ...chosen, 'options.4': ' ' }, csv))
  expect(nothing.status).toBe(400)
  expect(nothing.html).toContain('id="field-target.4-error">The new field must have options')
  const checkPage = await read(await send('check', chosen, csv))
  expect(checkPage.text).toContain('1 field will be added to the schema of members.')
  expect(checkPage.text).toContain('Left out: Ref, E-mail, Born.')
  await send('import-all', checkPage.form, csv)
  const { members } = await readSchemas(env.DB, id)
  expect(members?.fields[1]).toMatchObject({
    ...{ id: 'Gift Aid', label: 'Gift Aid?', type: 'select' },
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
  const { form } = await read(await send('mapping', { collection: 'members' }, buildWideFile(300)))
  expect(form).toHaveProperty(['target.300'])
  expect(form).not.toHaveProperty(['label.300'])
  const checkPage = await read(
    await send('check', { ...form, 'target.300': 'new' }, buildWideFile(300)),
  )
  await send('import-all', checkPage.form, buildWideFile(300))
  const { members } = await readSchemas(env.DB, id)
  expect(members?.fields).toContainEqual(
    expect.objectContaining({ label: 'Question 299Ref', type: 'text' }),
  )
  const wider = await read(await send('mapping', { collection: 'members' }, buildWideFile(950)))
  expect([wider.status, wider.text]).toEqual([
    413,
    expect.stringContaining('Import it with the command line'),
  ])
})

test('the form asks once for a required value without a column', async () => {
  const { send, storedRecords } = await newImporter()
  const grants = 'Grant ID,Amount awarded\nG1,£5\nG2,£6\n'
  const { form } = await read(await send('mapping', {}, grants, 'grants.csv'))
  expect(form).toMatchObject({ 'shared.status': '' })
  const nothing = await read(await send('check', form, grants, 'grants.csv'))
  expect(nothing.html).toContain('id="field-shared.status-error"')
  const checkPage = await read(
    await send('check', { ...form, 'shared.status': 'applied' }, grants, 'grants.csv'),
  )
  await send('import-all', checkPage.form, grants, 'grants.csv')
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
  const mappingPage = await read(await send('mapping', {}, sheet, name))
  expect(mappingPage.text).toContain('Which event was this for?')
  expect(mappingPage.text).toContain('Club one, 2025-06-01')
  for (const [form, eventId] of [
    [mappingPage.form, 'nothing'],
    [mappingPage.form, ''],
  ] as const) {
    const repeated = await read(
      await send('check', { ...form, 'shared.eventId': eventId }, sheet, name),
    )
    expect([repeated.status, repeated.html]).toEqual([
      400,
      expect.stringContaining(
        'id="field-shared.eventId-error">Which event was this for? Choose an event.',
      ),
    ])
  }
  const checkPage = await read(
    await send('check', { ...mappingPage.form, 'shared.eventId': 'one' }, sheet, name),
  )
  expect(checkPage.text).toContain('2 new 0 changed 0 unchanged 0 rejected')
  await send('import-all', checkPage.form, sheet, name)
  const next = await read(await send('collection', {}, sheet, name))
  expect(next.text).toContain('A file with the same headings was imported before')
  const repeatedSheet = await read(await send('check', next.form, sheet, name))
  expect([repeatedSheet.status, repeatedSheet.text]).toEqual([
    400,
    expect.stringContaining('Choose an event.'),
  ])
  const secondEvent = await read(
    await send('check', { ...repeatedSheet.form, 'shared.eventId': 'two' }, sheet, name),
  )
  await send('import-all', secondEvent.form, sheet, name)
  expect((await storedRecords('bookings')).map(({ eventId, date }) => [eventId, date])).toEqual(
    ['one', 'one', 'two', 'two'].map((eventId) => [eventId, '2025-06-01']),
  )
})

test('changes are shown with old and new values first, and a rejected row changes nobody later', async () => {
  const { send, storedRecords } = await newImporter()
  const { form } = await read(await send('mapping', {}, csv))
  const checked = await read(await send('check', form, csv))
  expect(checked.text).not.toContain('Old and new values')
  await send('import-all', checked.form, csv)
  const changed = `${csv.replace('Ann Abara 3', 'Anna <b>Abara')}\r\nM4;Di;di@people.test;;\r\n`
  const repeated = await read(await send('collection', {}, changed))
  const checkPage = await read(await send('check', repeated.form, changed))
  expect(checkPage.text).toContain('0 new 1 changed 11 unchanged 1 rejected')
  expect(checkPage.html).toMatch(/records\/members\/M3">Ann Abara 3<\/a>, line 5/)
  expect(checkPage.text).toContain('Full Name Ann Abara 3 Anna <b>Abara')
  expect(checkPage.html).not.toContain('<b>Abara')
  const donePage = await read(await send('import-valid', checkPage.form, changed))
  const rejectedRows = await read(
    await send('collection', {}, donePage.rejectedRows, 'not-imported.csv'),
  )
  const second = await read(
    await send('check', rejectedRows.form, donePage.rejectedRows, 'not-imported.csv'),
  )
  expect(second.text).toContain('0 new 0 changed 0 unchanged 1 rejected')
  expect(await storedRecords('members')).toContainEqual(
    expect.objectContaining({ memberId: 'M4', 'Full Name': 'Ann Abara 4' }),
  )
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
    await send('mapping', { collection: 'survey-responses' }, answers, 'a.csv'),
  )
  expect(collectionPage.html).toContain('id="field-form-error">It does not say which form')
  const mappingPage = await read(
    await send('mapping', { ...collectionPage.form, form: 'autumn' }, answers, 'a.csv'),
  )
  const checkPage = await read(await send('check', mappingPage.form, answers, 'a.csv'))
  expect(checkPage.text).toContain('2 new 0 changed 0 unchanged 0 rejected')
  await send('import-all', checkPage.form, answers, 'a.csv')
  expect(await storedRecords('survey-responses')).toContainEqual(
    expect.objectContaining({ surveyId: 'autumn', date: '2025-02-01T10:00:00.000Z' }),
  )
})

test('editors import, but only administrators add fields, even with a forged form', async () => {
  const admin = await newImporter()
  const editor = await newImporter('editor', admin)
  const first = await read(await editor.send('check', { collection: 'members' }, csv))
  expect([first.status, first.text.includes('There is no schema for members yet')]).toEqual([
    400,
    true,
  ])
  const { form } = await read(await admin.send('mapping', {}, csv))
  const checkPage = await read(await admin.send('check', form, csv))
  for (const step of ['check', 'import-valid', 'import-all']) {
    expect([step, (await editor.send(step, checkPage.form, csv)).status]).toEqual([step, 400])
  }
  expect(await readSchemas(env.DB, admin.id)).toEqual({})
  await admin.send('import-all', checkPage.form, csv)
  const mapping = JSON.stringify({
    ...JSON.parse(checkPage.form.mapping ?? ''),
    fields: [{ id: 'Forged', type: 'text' }],
  })
  const forged = await read(await editor.send('import-valid', { mapping }, csv))
  expect([forged.status, forged.text.includes('Only administrators can add fields')]).toEqual([
    400,
    true,
  ])
  const repeated = await read(await editor.send('collection', {}, csv.replaceAll('Abara', 'Abbot')))
  const changed = await read(
    await editor.send('check', repeated.form, csv.replaceAll('Abara', 'Abbot')),
  )
  expect(changed.text).toContain('0 new 12 changed 0 unchanged 0 rejected')
  expect(changed.text).toContain('Name 12')
  const donePage = await read(
    await editor.send('import-all', changed.form, csv.replaceAll('Abara', 'Abbot')),
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
    ['an empty file', 400, 'is empty', ({ send }) => send('collection', {}, '')],
    ['a picture', 400, 'NUL', ({ send }) => send('collection', {}, new Uint8Array(2000))],
    [
      'a file of more than 20 MiB',
      413,
      'at most 20 MiB',
      ({ send }) => send('collection', {}, new Uint8Array((20 << 20) + 1)),
    ],
    [
      'too many rows',
      413,
      'at most 50,000 rows',
      ({ send }) =>
        send('collection', { collection: 'members' }, `Ref,Name\n${'a,b\n'.repeat(50_001)}`),
    ],
    [
      'more pasted rows than a form holds',
      413,
      'too many rows to paste',
      ({ send }) => send('collection', { pasted: 'a\n'.repeat(1 << 20) }),
    ],
    [
      'a form of more than 1,000 fields',
      413,
      'at most 1,000 fields',
      ({ send }) => send('collection', { match: Array<string>(1000).fill('') }, csv),
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
      ({ send }) => send('check', { mapping: '{"collection":"things"}' }, csv),
    ],
    [
      'a mapping to an unknown field',
      400,
      'is no field or property of members',
      ({ send }) =>
        send(
          'import-all',
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
  const mappingPage = await read(await send('mapping', { collection: 'members' }, hostile))
  expect(mappingPage.html).not.toContain('<script>alert')
  const checkPage = await read(await send('check', mappingPage.form, hostile))
  expect(checkPage.text).toContain('12 new')
  await send('import-all', checkPage.form, hostile)
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
