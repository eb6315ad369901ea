import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { importFiles } from '../../cli/import/import-files.ts'
import * as platform from '../../cli/state/bindings.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { createDestination } from '../../src/import/destination/destination.ts'
import { importRecords } from '../../src/import/import-records.ts'
import { withoutValues } from '../../src/import/report/import-result.ts'
import type { Source } from '../../src/import/source/source.ts'
import { createPersonTarget } from '../../src/import/targets/person-target.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { FieldDefinition } from '../../src/model/properties/field-type.ts'
import { RunningImport } from '../../src/store/imports/running-import.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { runAdmin } from './in-process.ts'
import { localState, newOrganisation } from './local-state.ts'

const bindings = await localState()
const organisation = () => newOrganisation(bindings)

const fault = (line: number, field: string, message: string, count = 1) => ({
  field,
  message,
  code: expect.any(String),
  count,
  lines: line > 0 ? [line] : [],
})
const events = (...ids: string[]) => ids.map((eventId) => ({ eventId }))

describe('docs/importing.md', () => {
  const page = readFileSync('docs/importing.md', 'utf8')
  const example = (language: string) => page.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? ''

  test('shows a schema and members that fit it', async () => {
    const { import: load, get } = await organisation()
    const files = { 'schemas.json': example('json'), 'members.csv': example('csv') }
    expect(await load(files)).toEqual({ 'schemas.json': 2, 'members.csv': 2 })
    expect(await get('members?demographics.gender=none')).toMatchObject({
      members: [{ memberId: 'm2' }],
    })
  })

  test('names every type of field, every collection and its sample', () => {
    const [, types = ''] = page.split('| `type` |')
    const named = [...types.slice(0, types.indexOf('\n\n')).matchAll(/^\| (`.*?) \|/gm)].flatMap(
      ([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, type]) => type),
    )
    expect(named.toSorted()).toEqual(FieldDefinition.shape.type.options.toSorted())
    for (const name of ['schemas', ...collectionNames]) {
      const [, sample = ''] = RegExp(`\\| \`${name}\` \\| \\[\`(.*?)\``).exec(page) ?? []
      expect([name, existsSync(sample)]).toEqual([name, true])
    }
  })
})

describe('records', () => {
  test('come in from every form of file, whole and in order', async () => {
    const { import: load, get, id } = await organisation()
    const files = {
      'events.json': { events: [...events('e1', 'e2')], offset: 0, limit: 100, total: 2 },
      'disbursements.CSV':
        '\uFEFFdisbursementId,status,amount,dates.scheduled\r\nd1,PAID,12.50,2025-03-01\r\n',
      'README.txt': 'What is here.',
    }
    const funds = '{"fundId":"f1"}\n{"fundId":"f2","recipientType":"individual"}\n'
    expect(await load({ ...files, 'funds.ndjson': funds })).toEqual({
      'events.json': 2,
      'funds.ndjson': {
        errors: [fault(1, 'recipientType', 'must be one of: individual, organisation.')],
      },
      'disbursements.CSV': 1,
    })
    expect(await get('events')).toMatchObject({ total: 0 })
    await load(files)
    expect(await get('events')).toMatchObject({ total: 2, events: events('e1', 'e2') })
    expect(await get('funds')).toMatchObject({ total: 0 })
    expect(await get('disbursements')).toMatchObject({
      disbursements: [
        {
          disbursementId: 'd1',
          managedBy: id,
          amount: 12.5,
          dates: { scheduled: '2025-03-01T00:00:00.000Z', processed: null },
        },
      ],
    })
  })

  test('that are known keep their place, and new ones go to the end', async () => {
    const { import: load, get } = await organisation()
    await load({ 'events.json': events('e1', 'e2', 'e3') })
    await load({
      'events.json': [{ eventId: 'e4' }, { eventId: 'e2', name: 'Tea' }, { eventId: 'e0' }],
    })
    expect(await get('events')).toMatchObject({
      total: 5,
      events: [
        { eventId: 'e1' },
        { eventId: 'e2', name: 'Tea' },
        { eventId: 'e3' },
        { eventId: 'e4' },
        { eventId: 'e0' },
      ],
    })
    expect(await get('events?name=Tea')).toMatchObject({ total: 1 })
  })

  test('are stored unchanged except for empty values, offsets and bank details', async () => {
    const { import: load, get } = await organisation()
    const bank = { accountName: 'A', accountNumber: '12 34-56 78', sortCode: '20-30-40' }
    await load({
      'events.json': [
        {
          eventId: 'e1',
          name: null,
          tags: null,
          venue: null,
          attendees: null,
          concluded: '',
          start: '2025-06-01T10:00:00+01:00',
          end: '2025-06-01 10:00',
        },
      ],
      'forms.json': [
        { formId: 'f1', type: 'survey', questions: [{ questionId: 'q1' }, { questionId: 'q2' }] },
        { formId: 'f2', type: 'survey', questionCount: null, questions: [{ questionId: 'q1' }] },
        { formId: 'f3', type: 'survey', questionCount: 9, questions: [] },
      ],
      'disbursements.json': [{ disbursementId: 'd1', status: 'PAID', bankAccount: bank }],
    })
    expect(await get('events')).toMatchObject({
      events: [
        {
          name: '',
          tags: [],
          venue: { name: '', bookable: false },
          attendees: null,
          concluded: null,
          start: '2025-06-01T09:00:00.000Z',
          end: '2025-06-01T10:00:00.000Z',
        },
      ],
    })
    expect(await get('forms')).toMatchObject({
      forms: [{ questionCount: 2 }, { questionCount: 1 }, { questionCount: 9 }],
    })
    expect(await get('disbursements/d1')).toMatchObject({
      disbursement: {
        bankAccount: {
          accountName: 'A',
          bankName: '',
          accountNumber: '****5678',
          sortCode: '****40',
        },
      },
    })
  })

  test('with errors are all named, and nothing of their file is written', async () => {
    const { import: load, get, id } = await organisation()
    await load({ 'events.json': events('e1') })
    const given = [
      { eventId: 'e1', name: 'Changed' },
      { eventId: 'e2', managedBy: 'another', start: '2025-02-30', tags: [1], colour: 7 },
      { eventId: 'e3' },
      { eventId: '', venue: { street: 'x' }, bookingDetails: 'none' },
      { eventId: 'e1' },
      'e4',
    ]
    const outcome = await load({
      'events.json': JSON.stringify(given, null, 1),
      'bookings.json': [
        { bookingId: 'b1', eventId: 'e1', managedBy: id, profile: { anything: 1 } },
      ],
    })
    const time = 'must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.'
    expect(outcome).toEqual({
      'events.json': {
        errors: [
          fault(6, 'managedBy', `must be ${id}.`),
          fault(6, 'tags.0', 'must be a text.'),
          fault(6, 'colour', 'must be a text.'),
          fault(6, 'start', time),
          fault(18, 'eventId', 'must not be empty.'),
          fault(18, 'bookingDetails', 'must be an object.'),
          fault(18, 'venue.street', 'is not a property here.'),
          fault(25, 'eventId', 'is already used on an earlier line.'),
          fault(28, '', 'is not an object.'),
        ],
      },
      'bookings.json': 1,
    })
    expect(await get('events')).toMatchObject({ total: 1, events: [{ eventId: 'e1', name: '' }] })
  })

  test('of bookings need an event, unless the stored booking has one', async () => {
    const { import: importRecords } = await organisation()
    const message = 'has no event. Which event was this for?'
    const bookings = [{ bookingId: 'b1', eventId: 'e1' }, { bookingId: 'b2' }]
    expect(await importRecords({ 'bookings.json': bookings })).toMatchObject({
      'bookings.json': { errors: [{ field: 'eventId', message, count: 1 }] },
    })
    expect(await importRecords({ 'bookings.json': bookings.slice(0, 1) })).toEqual({
      'bookings.json': 1,
    })
    const change = [{ bookingId: 'b1', attending: true }]
    expect(await importRecords({ 'bookings.json': change })).toEqual({ 'bookings.json': 1 })
    const csv = 'bookingId,eventId\nb1,\n'
    expect(await importRecords({ 'bookings.csv': csv })).toMatchObject({
      'bookings.csv': { errors: [{ field: 'eventId', message }] },
    })
  })

  test.each([
    ['events.json', '', 1],
    ['events.json', '[{"eventId":"e1"},', 1],
    ['events.csv', '', 1],
    ['events.ndjson', '{"eventId":"e1"}\n{"eventId":', 2],
  ])('of a %s that is %j are not written', async (name, text, line) => {
    const { import: load, get } = await organisation()
    expect(await load({ [name]: text })).toMatchObject({ [name]: { errors: [{ lines: [line] }] } })
    expect(await get('events')).toMatchObject({ total: 0 })
  })

  test('larger than a record may be are refused before any is written', async () => {
    const { import: load, get } = await organisation()
    const note = (values: object) => ({ noteId: 'n2', ...values })
    for (const [values, message] of [
      [{ content: 'x'.repeat(100_000) }, 'The record must have at most 100000 bytes as JSON.'],
      [{ content: '🎈"'.repeat(16_700) }, 'The record must have at most 100000 bytes as JSON.'],
      [{ tags: Array(2001).fill('x') }, 'The record must have at most 2000 values.'],
    ] as const) {
      expect(await load({ 'case-notes.json': [{ noteId: 'n1' }, note(values)] })).toEqual({
        'case-notes.json': { errors: [fault(1, '', message)] },
      })
    }
    expect(await get('case-notes')).toMatchObject({ total: 0 })
    const largest = [{ noteId: 'n1' }, note({ content: '🎈"'.repeat(16_500) })]
    expect(await load({ 'case-notes.json': largest })).toEqual({ 'case-notes.json': 2 })
  })

  test('of 100,000 bytes make a page of under 25 MB', async () => {
    const { import: load, get } = await organisation()
    const content = 'x'.repeat(99_600)
    expect(await load({ 'case-notes.json': [{ noteId: 'n', content }] })).toEqual({
      'case-notes.json': 1,
    })
    expect(250 * JSON.stringify(await get('case-notes')).length).toBeLessThan(25_000_000)
  })

  test('nested more than 64 deep, or with an id that no path can hold, are refused before any is written', async () => {
    const { import: load, get } = await organisation()
    const response = (depth: number) =>
      JSON.stringify({
        responseId: 'r',
        surveyId: 's',
        responses: [{ questionId: 'q', response: 'deep' }],
      }).replace('"deep"', '['.repeat(depth) + ']'.repeat(depth))
    const others = Array.from({ length: 300 }, (_, place) =>
      JSON.stringify({ responseId: `${place}`, surveyId: 's' }),
    )
    for (const depth of [62, 998, 20_000]) {
      expect(
        await load({ 'survey-responses.ndjson': [...others, response(depth)].join('\n') }),
      ).toEqual({
        'survey-responses.ndjson': {
          errors: [fault(301, 'responses', 'must not be nested more than 64 deep.')],
        },
      })
    }
    expect(await load({ 'survey-responses.ndjson': response(61) })).toEqual({
      'survey-responses.ndjson': 1,
    })
    const message = 'must not be . or .., which no path can hold.'
    expect(await load({ 'events.json': events('.', '..', '...') })).toEqual({
      'events.json': { errors: [fault(1, 'eventId', message, 2)] },
    })
    expect(await get('survey-responses')).toMatchObject({ total: 1 })
  })
})

test('an export is moved to another organisation only where that is said, and never in part', async () => {
  vi.spyOn(platform, 'withBindings').mockImplementation((_, work) => work(bindings))
  const { id, get } = await organisation()
  const folder = await mkdtemp(join(tmpdir(), 'import-'))
  const schemas = { members: { fields: [{ id: 'Name', type: 'text' }] } }
  await writeFile(join(folder, 'schemas.json'), JSON.stringify(schemas))
  await writeFile(join(folder, 'members.ndjson'), '{"memberId":"m1","Name":"Ada"}\n')
  await writeFile(join(folder, 'events.ndjson'), '{"eventId":"e1","managedBy":"elsewhere"}\n')
  const refused = await runAdmin('import', id, folder)
  expect(refused).toMatchObject({ status: 1, stderr: '' })
  expect(refused.stdout).toContain(`managedBy must be ${id}.`)
  expect(refused.stdout).toContain('members.ndjson: nothing imported, as another file has errors.')
  expect(refused.stdout).toContain(`import <that organisation> <files> --as ${id}`)
  expect(await readSchemas(bindings.DB, id)).toEqual({})
  const third = await runAdmin('import', 'third', folder, '--as', id)
  expect(third.stdout).toContain('managedBy must be third.')
  expect(await readSchemas(bindings.DB, id)).toEqual({})
  const moved = await runAdmin('import', 'elsewhere', folder, '--as', id)
  expect(moved).toMatchObject({ status: 0, stderr: '' })
  expect(await get('events')).toMatchObject({ events: [{ eventId: 'e1', managedBy: id }] })
  expect(await get('members')).toMatchObject({ members: [{ memberId: 'm1' }] })
  const itself = await runAdmin('import', id, folder, '--as', id)
  expect(itself.stderr).toContain(`--as must name an organisation other than ${id}`)
  for (const other of [['--infer'], ['--url', 'https://api.example.org']])
    expect((await runAdmin('import', 'elsewhere', folder, '--as', id, ...other)).stderr).toContain(
      `--as cannot be combined with ${other[0]}.`,
    )
  await rm(folder, { recursive: true })
  vi.restoreAllMocks()
})

test('published grants and other files are imported together, or not at all', async () => {
  vi.spyOn(platform, 'withBindings').mockImplementation((_, work) => work(bindings))
  const { id, get } = await organisation()
  const folder = await mkdtemp(join(tmpdir(), 'import-'))
  const [good, bad] = [join(folder, 'events.json'), join(folder, 'funds.json')]
  await writeFile(good, '[{"eventId":"e1"}]')
  await writeFile(bad, '[{"fundId":""}]')
  const grants = 'test/cli/fixtures/360giving-sample.json'
  const totals = async () => [
    (await get<{ total: number }>('events')).total,
    (await get<{ total: number }>('grant-applications')).total,
  ]
  for (const files of [[bad], [good, bad]]) {
    const rejected = await runAdmin('import', id, ...files, '--360giving', grants)
    expect(rejected.status).toBe(1)
    expect(rejected.stdout).toContain(`${grants}: nothing imported, as another file has errors.`)
    expect(await totals()).toEqual([0, 0])
  }
  await writeFile(bad, '{"grants":[')
  const unreadable = await runAdmin('import', id, good, '--360giving', bad)
  expect(unreadable.stdout).toContain('events.json: nothing imported, as another file has errors.')
  expect(unreadable.stdout).toContain('is not whole')
  expect(await totals()).toEqual([0, 0])
  expect(await runAdmin('import', id, good, '--360giving', grants)).toMatchObject({ status: 0 })
  expect(await totals()).toEqual([1, 20])
  await rm(folder, { recursive: true })
  vi.restoreAllMocks()
})

describe('files', () => {
  test('are imported in the order schemas, people, others, in any folder', async () => {
    const { import: load } = await organisation()
    const outcome = await load({
      'bookings.json': [],
      'schemas.json': { members: { fields: [] } },
      'members.json': [],
    })
    expect(Object.keys(outcome)).toEqual(['schemas.json', 'members.json', 'bookings.json'])
  })

  test.each([
    ['people.json', 'people.json is not named after a collection: schemas, members,'],
    ['members.jsonl', 'members.jsonl is not named after a collection: schemas, members,'],
    ['events.xlsx', 'events.xlsx is not named after a collection: schemas, members,'],
    ['README.txt', ' contains no files to import.'],
  ])('named %s are refused before any is imported', async (name, message) => {
    const { import: load, get } = await organisation()
    const others: [string, object][] = name === 'README.txt' ? [] : [['events.json', events('e1')]]
    await expect(load(Object.fromEntries([...others, [name, '[]']]))).rejects.toThrow(message)
    expect(await get('events')).toMatchObject({ total: 0 })
  })
})

describe('a file without records', () => {
  const outcome = async (prepare: (folder: string) => unknown) => {
    const { to } = await organisation()
    const folder = await mkdtemp(join(tmpdir(), 'import-'))
    try {
      await prepare(folder)
      return await Array.fromAsync(importFiles([folder], to)).then(
        ([first]) => first && withoutValues(first.errors),
        (error: Error) => error.message.replace(folder, '…'),
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  test.each([
    ['a link to itself', 'members.json', '…/members.json is a link that leads to itself.'],
    ['nowhere', 'gone', 'There is no file or folder …/members.json.'],
    ['an endless device', '/dev/zero', '…/members.json is not a file.'],
  ])('a link to %s', async (_, target, message) => {
    expect(await outcome((folder) => symlink(target, join(folder, 'members.json')))).toBe(message)
  })

  test('a folder', async () => {
    const message = '…/members.json is not a file.'
    expect(await outcome((folder) => mkdir(join(folder, 'members.json')))).toBe(message)
  })

  test.each(['events.ndjson', 'events.json', 'events.csv'])(
    'one line without end: %s',
    async (name) => {
      const tooLong = 'has a record of more than 2000000 characters.'
      const before = { 'events.ndjson': '{}\n{"name":"', 'events.json': '[\n{"name":"' }[name]
      const text = (before ?? 'eventId,name\n"') + 'x'.repeat(8_000_000)
      const errors = await outcome((folder) => writeFile(join(folder, name), text))
      expect(errors).toContainEqual(fault(2, '', tooLong))
    },
  )

  test('an error does not repeat a heading that may be data', async () => {
    const text = 'eventId,Ada Obi,tags,E1 6AN\ne1,x,y,z\n'
    expect(await outcome((folder) => writeFile(join(folder, 'events.csv'), text))).toEqual([
      fault(1, '', 'has unknown columns: B, D.'),
    ])
  })
})

describe('schemas', () => {
  const fields = [
    { id: 'Name', type: 'text' },
    { id: 'Sector', type: 'select', options: ['Arts'] },
  ]

  test('are stored by kind', async () => {
    const { import: load, get, id } = await organisation()
    const schemas = { members: { name: 'People', fields }, partners: { fields } }
    expect(await load({ 'schemas.json': `\uFEFF${JSON.stringify(schemas)}` })).toEqual({
      'schemas.json': 2,
    })
    expect(await get(`schemas/${id}`)).toMatchObject({
      name: 'People',
      fields: [
        { id: 'Name', name: 'Name', label: 'Name', type: 'text', order: 0 },
        { id: 'Sector', options: [{ value: 'Arts', label: 'Arts' }] },
      ],
    })
    expect(await get(`schemas/${id}?kind=partners`)).toMatchObject({ name: 'Partner Schema' })
  })

  test('may be as the API answers with them', async () => {
    const [one, other] = [await organisation(), await organisation()]
    await one.import({
      'schemas.json': { members: { name: 'People', fields }, volunteers: { fields } },
    })
    const answer = async (from: typeof one, kind: string) => {
      const { name, fields } = await from.get(`schemas/${from.id}?kind=${kind}`)
      return { name, fields }
    }
    await other.import({ 'schemas.json': await one.get(`schemas/${one.id}`) })
    expect(await answer(other, 'members')).toEqual(await answer(one, 'members'))
    await other.import({
      'schemas.json': { volunteers: await one.get(`schemas/${one.id}?kind=volunteers`) },
    })
    expect(await answer(other, 'volunteers')).toEqual(await answer(one, 'volunteers'))
  })

  test('that cannot hold what people have are refused, unless this is dropped', async () => {
    const { import: load, get, to } = await organisation()
    const members = {
      fields: [
        { id: 'Home', type: 'postcode' },
        { id: 'Age', type: 'text' },
        { id: 'Sector', type: 'select', options: ['Arts'] },
        { id: 'Note', type: 'text' },
      ],
    }
    await load({
      'schemas.json': { members },
      'members.json': [
        { memberId: 'm1', Home: 'E1 6AN', Age: '7', Sector: 'Arts', Note: 'a' },
        { memberId: 'm2', Age: '8' },
      ],
    })
    const fewer = {
      fields: [
        { id: 'Home', type: 'text' },
        { id: 'Age', type: 'number' },
        { id: 'Sector', type: 'select', options: ['Sport'] },
      ],
    }
    expect(await load({ 'schemas.json': { members: fewer } })).toEqual({
      'schemas.json': {
        errors: [
          fault(
            0,
            'members.Age',
            'is of another type, and 2 members have a value there; --drop-values removes them.',
          ),
          fault(
            0,
            'members.Note',
            'is gone, and 1 member has a value there; --drop-values removes them.',
          ),
        ],
      },
    })
    expect(await get('members?Note=a')).toMatchObject({ members: [{ memberId: 'm1' }] })
    const folder = await mkdtemp(join(tmpdir(), 'import-'))
    await writeFile(join(folder, 'schemas.json'), JSON.stringify({ members: fewer }))
    await Array.fromAsync(importFiles([folder], to, { dropValues: true }))
    await rm(folder, { recursive: true })
    for (const query of ['Note=a', 'Age=7']) {
      expect(await get(`members?${query}`)).toMatchObject({ members: [] })
    }
    expect(await get('members?Home=E1 6AN&Sector=Arts')).toMatchObject({
      members: [{ memberId: 'm1', fields: [{ value: 'E1 6AN' }, { value: 'Arts' }] }],
    })
  })

  test('may not make people unique by a field in which some are alike', async () => {
    const { import: load, to, get } = await organisation()
    const fields = (type: string) => ({ members: { fields: [{ id: 'Number', type }] } })
    const member = (memberId: string, number: string) => ({ memberId, Number: number })
    await load({
      'schemas.json': fields('text'),
      'members.json': ['7', '7', '8', '9', '7'].map((number, place) => member(`m${place}`, number)),
    })
    const message =
      'is to be different for everyone, and 3 members have a value there that another has too: change these first.'
    const refused = { 'schemas.json': { errors: [fault(0, 'members.Number', message)] } }
    expect(await load({ 'schemas.json': fields('uniqueId') })).toEqual(refused)
    const { organisationId, db } = to
    expect((await readSchemas(db, organisationId)).members?.fields).toMatchObject([
      { type: 'text' },
    ])
    await load({ 'members.json': [member('m1', '10'), member('m4', '')] })
    expect(await load({ 'schemas.json': fields('uniqueId') })).toEqual({ 'schemas.json': 1 })
    expect(await get('members?Number=7')).toMatchObject({ members: [{ memberId: 'm0' }] })
  })

  test('and records are only checked on a dry run', async () => {
    const { import: load, to, get } = await organisation()
    await load({ 'schemas.json': { members: { fields: [{ id: 'Name', type: 'text' }] } } })
    const folder = await mkdtemp(join(tmpdir(), 'import-'))
    const fields = [
      { id: 'Name', type: 'text' },
      { id: 'Age', type: 'number' },
    ]
    await writeFile(join(folder, 'schemas.json'), JSON.stringify({ members: { fields } }))
    await writeFile(join(folder, 'members.csv'), 'memberId,Name,Age\nm1,Ada,36\n')
    const outcomes = await Array.fromAsync(importFiles([folder], to, { dryRun: true }))
    await rm(folder, { recursive: true })
    expect(outcomes).toMatchObject([
      { collection: 'schemas', records: 1, errors: [] },
      { collection: 'members', records: 1, created: 1, errors: [] },
    ])
    expect(await get('members')).toMatchObject({ members: [] })
    expect((await readSchemas(to.db, to.organisationId)).members?.fields).toHaveLength(1)
  })

  test('of names that mean something else, or too many, are refused', async () => {
    const { import: load } = await organisation()
    const named = (...ids: string[]) => ({ fields: ids.map((id) => ({ id, type: 'number' })) })
    const ids = ['schemaInfo', 'fields', 'memberId', 'limit', 'offset', 'organisationId']
    const outcome = await load({
      'schemas.json': { members: named(...ids, 'postcode'), partners: named('postcode') },
    })
    const message = expect.stringContaining('must not be a reserved name: ')
    expect(outcome).toEqual({
      'schemas.json': {
        errors: [
          ...ids.map((_, place) => fault(0, `members.fields.${place}.id`, message)),
          fault(
            0,
            'partners.fields',
            'has postcode, which partners are filtered by: it must be of type postcode.',
          ),
        ],
      },
    })
    const many = named(...Array.from({ length: 20_000 }, (_, place) => `f${place}`))
    expect(await load({ 'schemas.json': { members: many } })).toEqual({
      'schemas.json': { errors: [fault(0, 'members.fields', 'must be a list of at most 2000.')] },
    })
  })

  test.each([
    ['', [fault(0, '', 'is not valid JSON.')]],
    ['{"members":{"fields":[', [fault(0, '', 'is not valid JSON.')]],
    ['[]', [fault(0, '', 'is not a JSON object.')]],
    [
      '{"people":{"fields":[]}}',
      [fault(0, 'people', 'must be one of: members, volunteers, partners.')],
    ],
    ['{"members":{"feilds":[]}}', [fault(0, 'members.fields', 'must be a list.')]],
    ['{"members":[]}', [fault(0, 'members', 'is not an object.')]],
    [
      '{"members":{"fields":[{"id":"a","type":"text"},{"id":"a","type":"text"}]},"partners":{"fields":[{"id":"$b","type":"text","name":4},7]}}',
      [
        fault(0, 'members.fields', 'has a twice.'),
        fault(0, 'partners.fields.0.id', 'must not begin with $.'),
        fault(0, 'partners.fields.0.name', 'must be a text.'),
        fault(0, 'partners.fields.0.label', 'must be a text.'),
        fault(0, 'partners.fields.1', 'is not an object.'),
      ],
    ],
  ])('%j are refused', async (text, errors) => {
    const { import: load } = await organisation()
    expect(await load({ 'schemas.json': text })).toEqual({ 'schemas.json': { errors } })
  })
})

describe('people', () => {
  const schemas = {
    members: {
      fields: [
        { id: 'Name', type: 'text' },
        { id: 'Number', type: 'uniqueId' },
      ],
    },
  }
  const member = (memberId: string, number: string | null) => ({ memberId, Number: number })

  async function withMembers() {
    const made = await organisation()
    await made.import({
      'schemas.json': schemas,
      'members.json': [member('m1', 'A'), member('m2', 'B')],
    })
    const numbers = async () => {
      const { members } = await made.get<{
        members: { memberId: string; fields: { value: string }[] }[]
      }>('members')
      return members.map(({ memberId, fields }) => [memberId, fields[0]?.value])
    }
    return { ...made, numbers }
  }

  test('need a schema', async () => {
    const { import: load } = await organisation()
    expect(await load({ 'members.json': [] })).toEqual({
      'members.json': {
        errors: [fault(0, '', 'needs the schema of members: import schemas.json first.')],
      },
    })
  })

  test('from a CSV have the types of their fields', async () => {
    const { import: load, get } = await organisation()
    const fields = [
      { id: 'Name', type: 'text' },
      { id: 'home.town', type: 'text' },
      { id: 'Age', type: 'number' },
      { id: 'Tags', type: 'tags' },
    ]
    await load({
      'schemas.json': { members: { fields } },
      'members.csv': 'memberId,Name,home.town,Age,Tags\nm1,007,Łódź,7,a;b\nm2,,,,\n',
    })
    expect(await get('members')).toMatchObject({
      members: [
        { memberId: 'm1', fields: ['007', 'Łódź', 7, ['a', 'b']].map((value) => ({ value })) },
        { memberId: 'm2', fields: [] },
      ],
    })
  })

  test('may swap what must be unique, keep it, and give it up', async () => {
    const { import: load, numbers } = await withMembers()
    expect(await load({ 'members.json': [member('m1', 'B'), member('m2', 'A')] })).toEqual({
      'members.json': 2,
    })
    expect(await numbers()).toEqual([
      ['m1', 'B'],
      ['m2', 'A'],
    ])
    expect(await load({ 'members.json': [member('m1', 'B')] })).toEqual({ 'members.json': 1 })
    expect(
      await load({ 'members.json': [member('m3', 'B'), member('m1', ''), member('m4', null)] }),
    ).toEqual({
      'members.json': 3,
    })
    expect(await numbers()).toEqual([
      ['m1', undefined],
      ['m2', 'A'],
      ['m3', 'B'],
      ['m4', undefined],
    ])
  })

  test('may not have what another has', async () => {
    const { import: load, numbers } = await withMembers()
    const long = 'x'.repeat(300)
    expect(
      await load({
        'members.ndjson': [
          member('m3', 'C'),
          member('m4', 'A'),
          member('m5', 'C'),
          member('m6', `${long}1`),
          member('m7', `${long}2`),
        ]
          .map((one) => JSON.stringify(one))
          .join('\n'),
      }),
    ).toEqual({
      'members.ndjson': {
        errors: [
          fault(3, 'Number', 'has the value of an earlier line.'),
          fault(2, 'Number', 'is already used by another record.'),
        ],
      },
    })
    expect(await numbers()).toEqual([
      ['m1', 'A'],
      ['m2', 'B'],
    ])
  })

  test('may not have what another got while the file was imported', async () => {
    const { to, numbers } = await withMembers()
    const schema = (await readSchemas(to.db, to.organisationId)).members ?? { name: '', fields: [] }
    const target = createPersonTarget('members', schema)
    const lines = Array.from({ length: 600 }, (_, place) => member(`n${place}`, `N${place}`))
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    let read = 0
    const source: Source = {
      name: 'members.ndjson',
      size: text.length,
      async *bytes() {
        yield new TextEncoder().encode(text.slice(0, 25_000))
        // The second time the file is read it is written, and its first chunk is.
        if (++read === 2) {
          const document = JSON.stringify({ memberId: 'new', Number: 'N599' })
          await putRecords(to.db, to.organisationId, 'members', [{ id: 'new', document }])
        }
        yield new TextEncoder().encode(text.slice(25_000))
      },
    }
    const message = 'is already used by another record.'
    const { db, geography, organisationId } = to
    const store = operatorStore(db, organisationId)
    const run = new RunningImport(store, { collection: 'members' })
    const destination = createDestination({ store, geography }, 'members', run)
    const { errors, ...counts } = await importRecords(source, target, destination)
    expect({ ...counts, errors: withoutValues(errors) }).toEqual({
      records: 600,
      rejected: 1,
      created: 500,
      updated: 0,
      unchanged: 0,
      errors: [fault(600, 'Number', message)],
    })
    const served = await numbers()
    expect(served.filter(([, number]) => number === 'N599')).toHaveLength(0)
  })

  test('may have what a person of another organisation or kind has', async () => {
    await withMembers()
    const { import: load } = await withMembers()
    expect(
      await load({
        'schemas.json': { volunteers: schemas.members },
        'volunteers.json': [{ volunteerId: 'm1', Number: 'A' }],
      }),
    ).toEqual({ 'schemas.json': 1, 'volunteers.json': 1 })
  })
})
