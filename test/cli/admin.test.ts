import { spawnSync } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as platform from '../../cli/state/bindings.ts'
import { ensureLocalKey } from '../../cli/state/local-key.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { runAdmin } from './in-process.ts'
import { localState } from './local-state.ts'
import { migratedState } from './migrated-state.ts'

const folder = await migratedState()
const bindings = await localState()

// Opening a state takes longer than all else here: the commands share one.
beforeEach(() => {
  const { withBindings } = platform
  vi.spyOn(platform, 'withBindings').mockImplementation((target, work) =>
    target.remote || target.env ? withBindings(target, work) : work(bindings),
  )
})
afterEach(() => vi.restoreAllMocks())

async function json(...args: string[]) {
  const { status, stdout, stderr } = await runAdmin('--json', ...args)
  expect(stdout).toMatch(/^\{.*\}\n$/)
  return { status, stderr, answer: JSON.parse(stdout) }
}

/** Runs the command in a new process on a new state. */
function separately(...args: string[]) {
  const all = ['cli/admin.ts', '--persist-to', folder, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

const refused = (message: string) => ({ status: 1, stdout: '', stderr: `${message}\n` })

test('a refresh of areas without a postcode directory changes nothing', async () => {
  await runAdmin('organisation', 'add', 'unplaced', '--name', 'Unplaced')
  const schemas = join(folder, 'schemas.json')
  const members = join(folder, 'members.json')
  const field = { id: 'Postcode', type: 'postcode' }
  await writeFile(schemas, JSON.stringify({ members: { fields: [field] } }))
  await writeFile(members, '[{"memberId":"m1","Postcode":"LS11 0ES"}]')
  expect(await runAdmin('import', 'unplaced', schemas, members)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(
      'No postcode directory is loaded, so postcodes have no areas. Load one: geography load ONSPD.zip, then geography refresh unplaced\n',
    ),
  })
  const records = () =>
    bindings.DB.prepare(`SELECT * FROM records WHERE organisation_id = 'unplaced'`).all()
  const { results: before } = await records()
  expect(before).toMatchObject([{ id: 'm1' }])
  expect(await runAdmin('geography', 'refresh', 'unplaced')).toEqual(
    refused(
      'No postcode directory is loaded, so nothing was changed. Load one first: npm run admin -- geography load <directory>',
    ),
  )
  expect((await records()).results).toEqual(before)
})

test('a write to an organisation that is being moved is refused with the reason', async () => {
  await runAdmin('organisation', 'add', 'moving', '--name', 'Moving')
  await bindings.DB.prepare(
    `CREATE TRIGGER refuse_in_test BEFORE INSERT ON api_keys WHEN NEW.organisation_id = 'moving'
      BEGIN SELECT raise(ABORT, 'organisation_moving'); END`,
  ).run()
  const answer = await runAdmin('key', 'create', 'moving', '--name', 'Sync')
  await bindings.DB.prepare('DROP TRIGGER refuse_in_test').run()
  expect(answer).toEqual(
    refused(
      'This organisation is being moved to another database: nothing can be written for a few minutes. Send the request again then.',
    ),
  )
})

test('a command that another program keeps from the databases says so', async () => {
  vi.mocked(platform.withBindings).mockRejectedValueOnce(
    new Error('D1_ERROR: database is locked: SQLITE_BUSY'),
  )
  expect(await runAdmin('organisation', 'list')).toEqual(
    refused(
      'Another program, such as npm start, uses these databases all the time: stop it, and repeat the command.',
    ),
  )
})

test('an organisation gets a key, loads its data and takes the key back', async () => {
  expect(await runAdmin('organisation', 'add', 'well', '--name', 'The Well')).toEqual({
    status: 0,
    stdout: 'well added.\n',
    stderr: '',
  })
  expect((await json('organisation', 'list')).answer).toEqual({
    organisations: expect.arrayContaining([
      {
        id: 'well',
        name: 'The Well',
        created: expect.any(String),
        database: 'DB',
        movingTo: null,
        records: 0,
        documentBytes: 0,
        measured: '',
      },
    ]),
  })
  const newKey = await json('key', 'create', 'well', '--name', 'Power BI')
  expect(newKey).toMatchObject({ status: 0, stderr: '' })
  const { id, key, prefix } = newKey.answer
  expect(newKey.answer).toEqual({ id, key, prefix: key.slice(0, 8) })
  expect(key).toMatch(/^sk_[0-9A-Za-z]{38}$/)

  const good = join(folder, 'funds.json')
  const bad = join(folder, 'events.json')
  await writeFile(good, '[{"fundId":"f1","recipientType":"individual"}]')
  await writeFile(bad, '[{"eventId":"e1"},\n{"eventId":"e2","end":"soon"}]')
  const time = 'must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.'
  expect(await runAdmin('import', 'well', bad, good)).toEqual({
    status: 1,
    stdout: [
      `${bad}:2: end ${time}`,
      `${bad}: nothing imported, 1 error.`,
      `${good}: nothing imported, as another file has errors.`,
      '',
    ].join('\n'),
    stderr: '',
  })
  expect(await json('import', 'well', bad, good)).toEqual({
    status: 1,
    stderr: '',
    answer: {
      done: false,
      files: [
        {
          file: bad,
          collection: 'events',
          records: 1,
          rejected: 1,
          counts: { created: 0, updated: 0, unchanged: 0 },
          errors: [{ field: 'end', message: time, code: 'invalid_format', count: 1, lines: [2] }],
        },
        {
          file: good,
          collection: 'funds',
          records: 1,
          rejected: 0,
          counts: { created: 0, updated: 0, unchanged: 0 },
          errors: [],
          isLeftOut: true,
        },
      ],
    },
  })
  expect(await json('import', 'well', good)).toMatchObject({ status: 0, answer: { done: true } })

  expect(await json('key', 'revoke', id)).toEqual({ status: 0, stderr: '', answer: { id } })
  const listOutput = await runAdmin('key', 'list', 'well')
  expect(listOutput.stdout).toBe(
    `${id}  well  ${prefix}…  revoked  read,create-members  Power BI\n`,
  )
  expect((await json('key', 'list')).answer.keys).toContainEqual(
    expect.objectContaining({ id, organisationId: 'well', prefix }),
  )
  expect(JSON.stringify(await json('key', 'list'))).not.toContain(key)

  expect(await json('key', 'reactivate', id)).toMatchObject({ status: 0 })
  const revokeAll = ['key', 'revoke', '--all', 'well']
  const listed = { id, prefix, lastUsed: null, name: 'Power BI' }
  expect(await json(...revokeAll)).toMatchObject({
    status: 1,
    answer: { organisationId: 'well', revoked: 0, keys: [listed] },
  })
  expect((await runAdmin(...revokeAll)).stdout).toBe(
    `${id}  ${prefix}…  last used never  Power BI\nwell has 1 active key. Add --yes to revoke all of them.\n`,
  )
  expect(await runAdmin(...revokeAll, '--yes')).toMatchObject({
    status: 0,
    stdout: `${id}  ${prefix}…  Power BI\nrevoke: 1 active key\n`,
  })
  for (const args of [[], [id, '--all', 'well']])
    expect(await runAdmin('key', 'revoke', ...args)).toEqual(
      refused('Name a key, or an organisation with --all.'),
    )
  expect((await runAdmin('key', 'delete', id)).status).toBe(0)
  const may = ['--permissions', 'read,create-members,write']
  expect((await runAdmin('key', 'create', 'well', '--name', 'x', ...may)).status).toBe(0)
  const [{ id: writer }] = (await json('key', 'list', 'well')).answer.keys
  expect((await runAdmin('key', 'list', 'well')).stdout).toContain(
    'active  read,create-members,write  x',
  )
  expect((await runAdmin('key', 'delete', writer)).status).toBe(0)
  expect((await runAdmin('key', 'list', 'well')).stdout).toBe('')
})

test('restricts a key, changes it, and keeps its other settings', async () => {
  await runAdmin('organisation', 'add', 'pond', '--name', 'The Pond')
  const limits = ['--collections', 'events,members', '--no-private-notes', '--hide-fields', 'email']
  const from = ['--allow-from', '203.0.113.0/24, 2001:db8::/32', '--hide-fields', 'venue.postcode']
  from.push('--origins', 'https://www.example.org,http://localhost:3000')
  const newKey = await json('key', 'create', 'pond', '--name', 'x', ...limits, ...from)
  const { id } = newKey.answer
  const listOutput = async () => {
    const [key] = (await json('key', 'list', 'pond')).answer.keys
    return [key.permissions, key.restrictions]
  }
  const restrictions = {
    collections: ['events', 'members'],
    privateNotes: false,
    allowFrom: ['2001:db8::/32', '203.0.113.0/24'],
    hideFields: ['email', 'venue.postcode'],
    origins: ['http://localhost:3000', 'https://www.example.org'],
  }
  expect(await listOutput()).toEqual(['read,create-members', restrictions])
  expect(
    await runAdmin('key', 'change', id, '--permissions', 'read', '--collections', 'events'),
  ).toEqual({
    status: 0,
    stdout: `change: ${id}  read; only events; no private notes; without email, venue.postcode; from 2001:db8::/32, 203.0.113.0/24; in pages of http://localhost:3000, https://www.example.org\n`,
    stderr: '',
  })
  expect(await listOutput()).toEqual(['read', { ...restrictions, collections: ['events'] }])
  await runAdmin(
    'key',
    'change',
    id,
    '--private-notes',
    '--allow-from',
    'anywhere',
    '--hide-fields',
    'nothing',
    '--origins',
    'none',
  )
  expect(await listOutput()).toEqual(['read', { collections: ['events'] }])
  await runAdmin('key', 'change', id, '--collections', 'all')
  expect(await listOutput()).toEqual(['read', {}])

  for (const [option, value, message] of [
    ['--collections', 'people', 'people must be one of: members, volunteers, partners'],
    ['--allow-from', '10.0.0.1/8', '10.0.0.1/8 must have no bits set beyond the first 8.'],
    ['--origins', 'http://example.org', 'http://example.org must be the origin of a web page'],
    ['--hide-fields', 'Emial', 'Emial must be a kind (email, phone, postcode'],
    ['--hide-fields', 'status', 'status cannot be hidden, because every record requires it.'],
  ] as const) {
    for (const command of [
      ['create', 'pond', '--name', 'y'],
      ['change', id],
    ]) {
      const { status, stderr } = await runAdmin('key', ...command, option, value)
      expect([status, stderr]).toEqual([1, expect.stringContaining(`${option}: ${message}`)])
    }
  }
  expect(await listOutput()).toEqual(['read', {}])
  expect(await runAdmin('key', 'change', 'nope')).toEqual(refused('There is no key nope.'))
})

test.each(['reader-without-contact-details', 'editor', 'admin'])(
  'a user is added as %s',
  async (role) => {
    await runAdmin('organisation', 'add', role, '--name', role)
    await runAdmin('user', 'add', role, '--email', 'ana@example.org', '--role', role)
    expect((await runAdmin('user', 'list', role)).stdout).toBe(
      `${role}  ${role}  ana@example.org\n`,
    )
  },
)

test('an organisation is removed with all it has, once that is confirmed', async () => {
  await runAdmin('organisation', 'add', 'gone', '--name', 'The Gone')
  await runAdmin('key', 'create', 'gone', '--name', 'Power BI')
  const funds = join(folder, 'gone', 'funds.json')
  await mkdir(join(folder, 'gone'))
  await writeFile(funds, '[{"fundId":"f1","recipientType":"individual"}]')
  await runAdmin('import', 'gone', funds)
  expect(await runAdmin('organisation', 'remove', 'gone')).toEqual(
    refused(
      'gone is The Gone: funds 1, keys 1, users 0, webhooks 0. Add --yes to remove it for good.',
    ),
  )
  expect((await runAdmin('key', 'list', 'gone')).stdout).toContain('Power BI')
  expect(await runAdmin('organisation', 'remove', 'gone', '--yes')).toMatchObject({
    status: 0,
    stdout: 'gone removed.\n',
  })
  expect((await runAdmin('organisation', 'list')).stdout).not.toContain('gone')
  expect(await runAdmin('organisation', 'remove', 'gone', '--yes')).toEqual(
    refused('There is no organisation gone.'),
  )
})

test('settings of public pages are changed one by one, and removed by an empty value', async () => {
  await runAdmin('organisation', 'add', 'mill', '--name', 'The Mill')
  await mkdir(join(folder, 'mill'))
  const schemas = join(folder, 'mill', 'schemas.json')
  const fields = ['Full Name', 'Phone', 'Diet'].map((id) => ({ id, type: 'text' }))
  await writeFile(schemas, JSON.stringify({ members: { fields } }))
  await runAdmin('import', 'mill', schemas)
  const set = (...options: string[]) => runAdmin('organisation', 'set', 'mill', ...options)
  const read = async () => {
    const sql = `SELECT settings, logo FROM public_pages WHERE organisation_id = 'mill'`
    const row = await bindings.DB.prepare(sql).first<{ settings: string; logo: string | null }>()
    return { ...JSON.parse(row?.settings ?? '{}'), logo: row?.logo }
  }
  expect(await set('--public-pages', 'on')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^signUpFields: .* privacyNotice: /),
  })
  const logo = join(folder, 'logo.png')
  await writeFile(logo, Buffer.from('iVBORw0KGgo=', 'base64'))
  const frames = 'https://a.test, https://b.test'
  await set('--sign-up-fields', 'Full Name,Phone', '--frame', frames, '--logo', logo)
  await set('--optional-sign-up-fields', 'Diet', '--offer-hours', '2', '--consent', 'I agree')
  const settings = {
    frameAncestors: ['https://a.test', 'https://b.test'],
    offerHours: 2,
    consentText: 'I agree',
    logo: 'iVBORw0KGgo=',
  }
  const signUpFields = [
    { id: 'Full Name', required: true },
    { id: 'Phone', required: true },
    { id: 'Diet', required: false },
  ]
  expect(await read()).toEqual({ signUpFields, ...settings })
  expect(await set('--consent', '', '--logo', '', '--frame', '', '--offer-hours', '')).toEqual({
    status: 0,
    stdout: 'The public pages of mill are off.\n',
    stderr: '',
  })
  expect(await read()).toEqual({ signUpFields, frameAncestors: [], offerHours: 24, logo: null })
  expect(await set('--logo', join(folder, 'none.png'))).toMatchObject({ status: 1 })
  const grants = [
    '--grants-prefix',
    '360G-mill',
    '--grants-funder',
    'GB-CHC-1',
    '--grants-funds',
    'a, b',
  ]
  expect(await set('--publish-grants', 'on', ...grants)).toMatchObject({
    status: 0,
    stdout:
      'The public pages of mill are off.\nThe grants of mill are public: /o/mill/grants.json\n',
  })
  const sessions = await set('--publish-sessions', 'on')
  expect(sessions.stdout).toContain(
    'The sessions of mill become public when its public pages are on.',
  )
  await set('--grants-funds', '', '--grants-from', '2026-04-01')
  const sql = `SELECT publishing ->> '$.grants' AS grants, publishing ->> '$.sessions' AS sessions FROM public_pages WHERE organisation_id = 'mill'`
  const published = await bindings.DB.prepare(sql).first<{ grants: string; sessions: string }>()
  expect(JSON.parse(published?.grants ?? '')).toMatchObject({ isOn: true, from: '2026-04-01' })
  expect(published?.grants).not.toContain('funds')
  expect(published?.sessions).toBe('{"isOn":true}')
  expect(await set('--grants-prefix', 'mill')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('prefix: must be your prefix of 360Giving'),
  })
})

test('two people are merged once that is confirmed', async () => {
  await runAdmin('organisation', 'add', 'ford', '--name', 'The Ford')
  const data = join(folder, 'ford')
  await mkdir(data)
  await writeFile(
    join(data, 'schemas.json'),
    '{"members":{"fields":[{"id":"Town","type":"text"},{"id":"School","type":"text"}]}}',
  )
  await writeFile(join(data, 'members.csv'), 'memberId,Town,School\nm1,Leeds,\nm2,York,Oak\n')
  const linkedEntities = { memberIds: ['m2'] }
  await writeFile(join(data, 'case-notes.json'), JSON.stringify([{ noteId: 'n1', linkedEntities }]))
  await runAdmin('import', 'ford', data)
  const merge = (...args: string[]) => runAdmin('person', 'merge', 'ford', 'members', ...args)
  expect(await merge('m1', 'm2')).toEqual(
    refused('1 case note refers to the member m2. Add --yes to merge m2 into m1 and delete m2.'),
  )
  for (const [args, message] of [
    [['m1', 'm2', '--yes', '--fields', '[]'], '--fields: must be a JSON object.'],
    [['m1', 'm9', '--yes'], 'from: must be the id of another member.'],
    [['m9', 'm2', '--yes'], 'There is no member with this memberId.'],
  ] as const)
    expect(await merge(...args)).toEqual(refused(message))
  expect(await merge('m1', 'm2', '--yes', '--fields', '{"Town": "York"}')).toMatchObject({
    status: 0,
    stdout: 'm2 merged into m1. Moved: 1 case note.\n',
  })
  const { results } = await bindings.DB.prepare(
    "SELECT id, document ->> '$.Town' AS town, document ->> '$.School' AS school FROM records WHERE organisation_id = 'ford' AND collection = 'members'",
  ).all()
  expect(results).toEqual([{ id: 'm1', town: 'York', school: 'Oak' }])
})

test('a key lasts to the end of the day given, or to the time', async () => {
  await runAdmin('organisation', 'add', 'brook', '--name', 'The Brook')
  await runAdmin('key', 'create', 'brook', '--name', 'x', '--expires', '2999-01-31')
  await runAdmin('key', 'create', 'brook', '--name', 'x', '--expires', '2999-01-31T09:30:00+02:00')
  expect((await json('key', 'list', 'brook')).answer.keys).toMatchObject([
    { expires: '2999-01-31T23:59:59.999Z' },
    { expires: '2999-01-31T07:30:00.000Z' },
  ])
})

test('what cannot be done is refused in a sentence', async () => {
  await runAdmin('organisation', 'add', 'spring', '--name', 'The Spring')
  const id =
    'id: must be 1 to 64 letters, digits or any of - _ . ~, and begin with a letter, a digit or _.'
  const add = (id: string) => runAdmin('organisation', 'add', id, '--name', 'x')
  expect(await runAdmin('--env', 'production', 'organisation', 'list')).toEqual(
    refused('--env needs --remote.'),
  )
  expect(await add('spring')).toEqual(refused('The organisation spring already exists.'))
  expect(await add('a/b')).toEqual(refused(id))
  expect(await add('..')).toEqual(refused(id))
  for (const page of ['sign-in', 'sign-out', 'set-up'])
    expect(await add(page)).toEqual(
      refused('id: must not be sign-in, sign-out or set-up, which is a page of the dashboard.'),
    )
  expect(
    await runAdmin('user', 'add', 'spring', '--email', '\u212Aate@x.org', '--role', 'admin'),
  ).toEqual(refused('email: must be an address in ASCII, such as ana@example.org.'))
  expect(await runAdmin('key', 'create', 'nope', '--name', 'x')).toEqual(
    refused('There is no organisation nope.'),
  )
  expect(await runAdmin('key', 'list', 'nope')).toEqual(refused('There is no organisation nope.'))
  expect(await runAdmin('key', 'revoke', 'nope')).toEqual(refused('There is no key nope.'))
  for (const args of [[], ['spring'], ['spring', 'w', '--all'], ['spring', '--all']])
    expect(await runAdmin('webhook', 'rotate', ...args)).toEqual(
      refused('Name an organisation and a webhook, or --all [organisation].'),
    )
  expect(await runAdmin('import', 'nope', '.')).toEqual(refused('There is no organisation nope.'))
  expect(await runAdmin('import', 'spring')).toEqual(refused('Name files to import.'))
  expect(await runAdmin('import', 'spring', 'x.json')).toEqual(
    refused('There is no file or folder x.json.'),
  )
  expect(await runAdmin('import', 'spring', '--360giving', 'x.json')).toEqual(
    refused('There is no file or folder x.json.'),
  )
  expect(await json('key', 'list', 'nope')).toEqual({
    status: 1,
    stderr: 'There is no organisation nope.\n',
    answer: { error: 'There is no organisation nope.' },
  })
})

test("an assistant's key hides free text and private notes unless an option shows them", async () => {
  await runAdmin('organisation', 'add', 'moss', '--name', 'Moss')
  const create = async (...options: string[]) => {
    const { id } = (await json('key', 'create', 'moss', '--name', 'x', ...options)).answer
    const { keys } = (await json('key', 'list', 'moss')).answer
    const key = keys.find((key: { id: string }) => key.id === id)
    return [key?.permissions, key?.restrictions]
  }
  const hidden = { privateNotes: false, hideFields: ['free text'] }
  expect(await create('--assistant')).toEqual(['read,assistant', hidden])
  const named = ['--permissions', 'assistant,read', '--hide-fields', 'email', '--private-notes']
  expect(await create(...named)).toEqual(['read,assistant', { hideFields: ['email', 'free text'] }])
  const shown = ['--assistant', '--hide-fields', 'nothing', '--private-notes']
  expect(await create(...shown)).toEqual(['read,assistant', {}])
})

test('the key that npm start shows is the same until it is revoked', async () => {
  await runAdmin('organisation', 'add', 'local', '--name', 'Local')
  const localKey = () => ensureLocalKey(bindings, folder, 'local', 'a test')
  const first = await localKey()
  expect(await localKey()).toBe(first)
  const { answer } = await json('key', 'list', 'local')
  const permissions = 'read,create-members,write'
  expect(answer.keys).toMatchObject([{ name: 'npm start', state: 'active', permissions }])
  const older = `UPDATE api_keys SET permissions = 'read,create-members' WHERE id = ?`
  await bindings.DB.prepare(older).bind(answer.keys[0].id).run()
  expect(await localKey()).toBe(first)
  expect((await json('key', 'list', 'local')).answer.keys).toMatchObject([{ permissions }])
  await runAdmin('key', 'revoke', answer.keys[0].id)
  const second = await localKey()
  expect(second).not.toBe(first)
  expect(await localKey()).toBe(second)
  expect((await stat(join(folder, 'local-key.json'))).mode & 0o777).toBe(0o600)
})

test("sets and previews a retention rule, and shows a record's history", async () => {
  await runAdmin('organisation', 'add', 'kept', '--name', 'Kept')
  const file = join(folder, 'case-notes.json')
  await writeFile(
    file,
    '[{"noteId":"old","date":"2001-01-01"},{"noteId":"new","date":"2999-01-01"},{"noteId":"none"}]',
  )
  await runAdmin('import', 'kept', file)
  const set = ['retention', 'set', 'kept', 'case-notes', '--after', '7 year', '--by']
  expect(await runAdmin(...set, 'content')).toEqual(
    refused('--by: must be a date of the case-notes: date, created, updated.'),
  )
  expect(
    await runAdmin('retention', 'set', 'kept', 'members', '--after', '1 day', '--by', 'x'),
  ).toEqual(refused('--by: the members have no field that is a date.'))
  const rule = 'case-notes older than 7 years by date'
  expect((await runAdmin(...set, 'date')).stdout).toContain(`set: ${rule}\n`)
  expect((await runAdmin('retention', 'list', 'kept')).stdout).toBe(`${rule}  not run yet\n`)

  const foretold = await json('retention', 'run', 'kept', '--dry-run')
  const retention = { collection: 'case-notes', field: 'date', age: '7 years' }
  expect(foretold.answer).toEqual({
    rules: [{ ...retention, removed: ['old'], kept: [], undated: 1 }],
  })
  const [preview] = (await runAdmin('retention', 'run', 'kept', '--dry-run')).stdout.split('\n')
  expect(preview).toBe(
    `${rule}: 1 would be removed, 0 kept because other records reference them, 1 without the date stay`,
  )
  expect((await json('retention', 'run', 'kept')).answer).toEqual(foretold.answer)
  expect((await json('retention', 'run', 'kept')).answer.rules).toMatchObject([{ removed: [] }])
  expect((await runAdmin('retention', 'list', 'kept')).stdout).toMatch(
    /by date {2}20\d\d-\d\d-\d\d: \d removed, 0 kept\n$/,
  )

  const { answer } = await json('history', 'kept', 'case-notes', 'old')
  expect(answer.history).toMatchObject([
    { change: 'deleted', author: { by: 'retention' } },
    { change: 'created', author: { by: 'command line', through: 'import' } },
  ])
  const lines = (await runAdmin('history', 'kept', 'case-notes', 'none')).stdout
  expect(lines).toMatch(/^20\S+Z {2}created {2}the command line, by an import\n$/)
  expect(await runAdmin('history', 'kept', 'case-notes', 'nothing')).toEqual(
    refused('kept has no nothing in case-notes, and no recent history of it.'),
  )
  const old = ['kept', 'case-notes', 'old']
  const { versions } = (await json('record', 'versions', ...old)).answer
  expect(versions).toMatchObject([
    { change: 'deleted', by: 'a retention rule', record: { noteId: 'old' } },
  ])
  const version = String(versions[0].version)
  expect((await json('record', 'restore', ...old, version)).answer).toMatchObject({ restored: {} })
  expect((await json('retention', 'run', 'kept')).answer.rules).toMatchObject([
    { removed: ['old'] },
  ])
  expect(await runAdmin('record', 'versions', 'kept', 'case-notes', 'nothing')).toEqual(
    refused('kept has no previous version of nothing in case-notes.'),
  )
  expect(await runAdmin('organisation', 'keep-versions', 'kept', '91')).toEqual(
    refused('days: must be a whole number from 0 to 90.'),
  )
  expect((await runAdmin('organisation', 'keep-versions', 'kept', '0')).status).toBe(0)
  expect(await runAdmin('usage', 'kept', '--days', '7')).toMatchObject({
    status: 0,
    stdout: 'The size has not been measured yet.\n',
  })
  expect((await runAdmin('retention', 'remove', 'kept', 'case-notes')).status).toBe(0)
  expect(await runAdmin('retention', 'remove', 'kept', 'case-notes')).toEqual(
    refused('There is no rule for case-notes of kept.'),
  )
})

test('one command sets up an organisation: its schemas, administrator and key', async () => {
  const schemas = join(folder, 'new-charity.json')
  await writeFile(schemas, '{"members":{"fields":[{"id":"Town","type":"text"}]}}')
  const add = (id: string, file: string, admin: string) =>
    runAdmin(
      ...['organisation', 'add', id, '--name', 'The Weir', '--key', 'Power BI'],
      ...['--schemas', file, '--admin', admin],
    )
  const wrong = join(folder, 'wrong-schemas.json')
  await writeFile(wrong, '{"members":{"fields":[{"id":"Town","type":"txt"}]}}')
  expect(await add('weir', wrong, 'ana@example.org')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`${wrong}: members.fields.0.type must be one of`),
  })
  expect(await add('weir', schemas, 'ana')).toEqual(
    refused('--admin: must be an address in ASCII, such as ana@example.org.'),
  )
  const { answer } = await json('organisation', 'list')
  expect(answer.organisations).not.toContainEqual(expect.objectContaining({ id: 'weir' }))

  const { status, stdout } = await add('weir', schemas, 'ana@example.org')
  expect([status, stdout.replace(/sk_\w+/, 'sk_…')]).toEqual([
    0,
    `weir added.\n${schemas}: 1 schemas imported.\nana@example.org added as admin.\nsk_…\nKeep it safe: it is not shown again.\n`,
  ])
  const members = join(folder, 'members.csv')
  await writeFile(members, 'memberId,Town\nm1,Leeds\n')
  expect((await runAdmin('import', 'weir', members)).status).toBe(0)
  expect((await json('user', 'list', 'weir')).answer.users).toMatchObject([
    { email: 'ana@example.org', role: 'admin' },
  ])
  expect((await json('key', 'list', 'weir')).answer.keys).toMatchObject([
    { name: 'Power BI', permissions: 'read,create-members' },
  ])
})

test('a process ends with the exit code, and writes what a program or a person asked for', () => {
  const add = ['organisation', 'add', 'well', '--name', 'The Well']
  expect(separately('--json', ...add)).toEqual({
    status: 0,
    stdout: '{"id":"well","name":"The Well","database":"DB"}\n',
    stderr: '',
  })
  // Both are refused before a state is opened, which takes longer than all else.
  expect(separately('--json', '--env', 'production', ...add)).toEqual({
    status: 1,
    stdout: '{"error":"--env needs --remote."}\n',
    stderr: '--env needs --remote.\n',
  })
  expect(separately('key', 'create', 'well', '--name', 'x', '--expires', '2020-02-29')).toEqual(
    refused(
      "error: option '--expires <day>' argument '2020-02-29' is invalid. It must not be in the past.",
    ),
  )
})

test('everything of a person is written to a file, and the person erased', async () => {
  await runAdmin('organisation', 'add', 'brook', '--name', 'The Brook')
  const [data, zip] = [join(folder, 'brook'), join(folder, 'person.zip')]
  await mkdir(data)
  await writeFile(
    join(data, 'schemas.json'),
    '{"members":{"fields":[{"id":"Town","type":"text"},{"id":"Full Name","type":"text"}]}}',
  )
  await writeFile(join(data, 'members.csv'), 'memberId,Town,Full Name\nm1,Leeds,Ann Reed\n')
  const linkedEntities = { memberIds: ['m1', 'm2'] }
  await writeFile(join(data, 'case-notes.json'), JSON.stringify([{ noteId: 'n1', linkedEntities }]))
  await writeFile(join(data, 'funds.json'), '[{"fundId":"f1","recipientType":"individual"}]')
  const recipient = { name: 'Ann Reed' }
  const application = {
    applicationId: 'a1',
    fundId: 'f1',
    granteeId: 'm1',
    status: 'applied',
    recipient,
  }
  await writeFile(join(data, 'grant-applications.json'), JSON.stringify([application]))
  await runAdmin('import', 'brook', data)
  const person = ['brook', 'members', 'm1'] as const

  expect((await runAdmin('person', 'export', ...person, '--out', zip)).stdout).toBe(
    `${zip}: everything of the member m1.\nThese concern other people too; check them before you hand it over: case-notes n1.\n`,
  )
  expect((await stat(zip)).mode & 0o777).toBe(0o600)
  expect((await readFile(zip)).subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  const json = join(folder, 'person.json')
  await runAdmin('person', 'export', ...person, '--out', json)
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
    member: { memberId: 'm1' },
    caseNotes: [{ noteId: 'n1', linkedEntities: { memberIds: ['m1'] } }],
    applications: [{ applicationId: 'a1' }],
  })
  const brokenOff = join(folder, 'broken-off.zip')
  await writeFile(`${brokenOff}.unfinished`, '')
  for (const [args, message] of [
    [[...person, '--out', zip], `${zip} already exists: choose a new file.`],
    [[...person, '--out', brokenOff], `${brokenOff}.unfinished already exists: choose a new file.`],
    [[...person, '--out', 'x.csv'], '--out: must end in .zip or .json.'],
    [
      ['brook', 'events', 'm1', '--out', 'x.zip'],
      'collection: must be one of: members, volunteers, partners.',
    ],
    [['brook', 'members', 'm9', '--out', 'x.zip'], 'There is no member with this memberId.'],
  ] as const)
    expect(await runAdmin('person', 'export', ...args)).toEqual(refused(message))

  expect(await runAdmin('person', 'erase', ...person)).toEqual(
    refused(
      '1 case note refers to the member m1. 1 grant application seems to be theirs. Add --yes to erase them for good.',
    ),
  )
  expect((await runAdmin('person', 'erase', ...person, '--yes')).stdout).toBe(
    'm1 erased.\nThese concern other people too, so they stay without the link; check their text: case-notes n1.\n',
  )
  expect(await runAdmin('person', 'erase', ...person, '--yes')).toEqual(
    refused('There is no member with this memberId.'),
  )
  expect((await runAdmin('erase', 'replay', 'brook')).stdout).toBe(
    '0 erased again, 1 did not exist.\n',
  )
  const again =
    'members  m1  erased again: this person was erased before, and the import brought data of theirs back'
  const dryRun = await runAdmin('import', 'brook', data, '--dry-run')
  expect(dryRun.stdout).not.toContain('erased again')
  const imported = await runAdmin('import', 'brook', data)
  expect([imported.status, imported.stdout]).toEqual([0, expect.stringContaining(again)])
  const { results: stored } = await bindings.DB.prepare(
    "SELECT id, document FROM records WHERE organisation_id = 'brook'",
  ).all()
  expect(JSON.stringify(stored)).not.toContain('m1')

  // Somebody who joined again stays.
  await putRecords(bindings.DB, 'brook', 'members', [
    { id: 'm1', document: '{"memberId":"m1","Town":"York"}' },
  ])
  const joined = await runAdmin('import', 'brook', join(data, 'members.csv'))
  expect(joined.stdout).not.toContain('erased again')
  expect(await runAdmin('erase', 'replay', 'brook')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('brook  members  m1  left: created after the erasure'),
  })
  expect((await runAdmin('erase', 'replay', 'brook', '--later')).status).toBe(0)
  const trail = await bindings.DB.prepare(
    "SELECT actor, action FROM audit_log WHERE organisation_id = 'brook' AND target = 'm1'",
  ).all()
  const acts = ['exported', 'exported', 'erased', 'erased', 'erased']
  expect(trail.results).toEqual(
    acts.map((act) => ({ actor: 'command line', action: `${act} member` })),
  )
})
