import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { demoRecords, type Properties } from '../../bench/load/demo-records.ts'
import { adminProgram } from '../../cli/commands/program.ts'
import { demoOrganisation as demo, loadDemo } from '../../cli/demo.ts'
import * as platform from '../../cli/state/bindings.ts'
import { demoDate } from '../../src/admin/move-dates.ts'
import { once } from '../../src/platform/once.ts'
import { createKey } from '../keys.ts'
import { localWorker } from './local-worker.ts'

const readme = readFileSync('README.md', 'utf8')
const apiPage = readFileSync('docs/api.md', 'utf8')
const keysPage = readFileSync('docs/keys.md', 'utf8')

const worker = await localWorker()
await loadDemo(worker.env, demoDate)
const permissions = ['read', 'write']
const { key } = await createKey(worker.env, demo.id, 'readme', 'a test', undefined, permissions)

/** The address of a documented request, on the test's service. */
const urlOf = (path: string) => new URL(path, worker.url.origin)

test('the first request in the README has the answer shown below it', async () => {
  const [, path = ''] =
    /curl .*'http:\/\/localhost:8787(\/api\/v1\/members\?[^']+)'/.exec(readme) ?? []
  const [, example = ''] = /```json\n(.*?)```/s.exec(readme) ?? []
  const answer = await fetch(urlOf(path), { headers: { 'x-api-key': key } })
  expect(await answer.json()).toEqual(JSON.parse(example))
})

const questions = [
  ...apiPage.matchAll(/```http\nGET ([^\n]+)\n```\n\n```(\w+)( shortened)?\n(.*?)```/gs),
].map(([, path = '', format = '', shortened, answer = '']) => ({ path, format, shortened, answer }))

test('the API page answers ten questions by one address each', () => {
  expect(questions).toHaveLength(10)
})

test.each(questions)('$path has the answer on the API page', async (question) => {
  const { path, format, shortened, answer } = question
  const response = await fetch(urlOf(path), { headers: { 'x-api-key': key } })
  if (format === 'csv') return expect((await response.text()).replaceAll('\r\n', '\n')).toBe(answer)
  const body = await response.json<{ next?: string }>()
  if (shortened) expect(body).toMatchObject(JSON.parse(answer))
  else expect(withoutToken(body)).toEqual(withoutToken(JSON.parse(answer)))
})

// Every organisation encrypts its tokens with its own key.
const withoutToken = ({ next, ...body }: { next?: string }) => ({
  ...body,
  next: next?.replace(/\$skiptoken=.+$/, '$skiptoken='),
})

test('the API page creates a member', async () => {
  const [, body = ''] = /-d '(\{.*\})'/.exec(apiPage) ?? []
  const answer = await fetch(urlOf('/api/v1/members'), {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
    body,
  })
  expect(answer.status).toBe(201)
})

test.skipIf(spawnSync('curl', ['--version']).error)(
  'the API page creates, corrects, follows and deletes a member',
  async () => {
    const [, block = ''] = /```sh\n(api\(\).*?)```/s.exec(apiPage) ?? []
    const [api = '', ...lines] = block
      .replace('http://localhost:8787', worker.url.origin)
      .trimEnd()
      .split('\n')
    const answers: string[] = []
    let next = ''
    for (const line of lines) {
      const script = `${api}\n${line.replace('<next>', next)}`
      const env = { ...process.env, KEY: key }
      const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
      answers.push(stdout)
      next = /"next":"([^"]+)"/.exec(stdout)?.[1] ?? next
    }
    const [, put, patched, searched, changed, deleted, nobody, gone] = answers.map((text) =>
      text ? JSON.parse(text) : text,
    )
    const ada = (phone: string) => ({
      memberId: 'ada',
      fields: [{ value: 'Ada Example' }, { value: phone }],
    })
    expect(put).toMatchObject({ member: ada('07700 900123') })
    expect(patched).toMatchObject({ member: ada('07700 900456') })
    expect(searched).toMatchObject({ members: [ada('07700 900456')] })
    expect(changed.changes).toMatchObject([{ collection: 'members', id: 'ada', change: 'updated' }])
    expect(deleted).toBe('')
    expect(nobody).toMatchObject({ members: [] })
    expect(gone.changes).toMatchObject([{ collection: 'members', id: 'ada', change: 'deleted' }])
  },
)

test.each([...apiPage.matchAll(/^\| (`\/.*?) \|/gm)].map(([, cell = '']) => cell))(
  'the OpenAPI document has %s',
  async (cell) => {
    const document = await (await fetch(urlOf('/api/v1/openapi.json'))).json<{
      paths: object
    }>()
    for (const [, path = ''] of cell.matchAll(/`(\/.*?)`/g)) {
      expect(Object.keys(document.paths)).toContain(path)
    }
  },
)

type Operation = { name: string; method: string; path: string; body?: unknown }

/** A request for each operation of the API, on records that there are. */
const everyOperation = once(async (): Promise<Operation[]> => {
  const { paths } = await (await fetch(urlOf('/api/v1/openapi.json'))).json<{
    paths: Record<string, { parameters: object }>
  }>()
  const { records } = await demoRecords(demo.id)
  return Object.entries(paths).flatMap(([template, { parameters: _, ...operations }]) => {
    const example = template.replace('{collection}', 'events').replace('{id}', '{eventId}')
    const [, segment = '', parameter] = example.split('/')
    const [first] = records[segment] ?? []
    const id = first?.[parameter?.slice(1, -1) ?? ''] ?? demo.id
    const path = example.replace(/\{\w+\}/, String(id))
    return Object.keys(operations).map((operation) => {
      const method = operation.toUpperCase()
      const name = `${method} ${template}`
      if (template === '/webhooks/$sample')
        return { name, method, path: `${path}?collection=events` }
      if (name === 'POST /webhooks') return { name, method, path, body: webhook }
      if (name === 'POST /imports')
        return { name, method, path: `${path}?collection=events`, body: [{}] }
      if (method === 'GET' || method === 'DELETE') return { name, method, path }
      if (template.endsWith('/$merge')) return { name, method, path, body: { from: 'unknown' } }
      if (template.endsWith('/$restore')) return { name, method, path, body: { version: 1 } }
      if (template.endsWith('/$links')) return { name, method, path, body: { withoutPerson: 1 } }
      if (template.endsWith('/$attendance'))
        return { name, method, path, body: { came: true, memberId: 'unknown' } }
      const isList = method === 'PATCH' && !parameter
      if (method === 'PUT' && !parameter)
        return { name, method, path: `${path}?$by=managedBy`, body: { nothing: 1 } }
      return {
        name,
        method,
        path,
        body: isList ? { [plurals[segment] ?? segment]: [{}] } : { nothing: 1 },
      }
    })
  })
})

const webhook = {
  url: 'https://hooks.charity.org.uk/',
  collections: ['events'],
  changes: ['created'],
}

const plurals: Record<string, string> = {
  'survey-responses': 'surveyResponses',
  'case-notes': 'caseNotes',
  'grant-applications': 'applications',
}

/** Creates the key of this name as the page on keys does, and finds the requests that are not refused with 403. */
async function keyOf(name: string) {
  const [, line = ''] =
    new RegExp(`^npm run admin -- (key create .*'${name}' --permissions.*)$`, 'm').exec(keysPage) ??
    []
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  vi.spyOn(platform, 'withBindings').mockImplementation((_, work) => work(worker.env))
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const args = words.map((word) => (word === 'oak-trust' ? demo.id : word))
  await adminProgram().parseAsync(['--json', ...args], { from: 'user' })
  const { key } = JSON.parse(String(output.mock.calls[0]?.[0]))
  vi.restoreAllMocks()
  const ask = ({ method, path, body }: Omit<Operation, 'name'>, address: string) =>
    fetch(urlOf(`/api/v1${path}`), {
      method,
      headers: {
        'x-api-key': key,
        'CF-Connecting-IP': address,
        'Content-Type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const may = async (address = '198.51.100.1') => {
    const answers = await Promise.all(
      (await everyOperation()).map(async (operation) => {
        const answer = await ask(operation, address)
        return { name: operation.name, status: answer.status, text: await answer.text() }
      }),
    )
    return answers.filter(({ status }) => status !== 403)
  }
  return { ask, may }
}

describe('of the example keys,', () => {
  const statuses = (answers: { name: string; status: number }[]) =>
    answers.map(({ name, status }) => `${name} ${status}`)

  test('the one of a web form only creates members and reads their schema', async () => {
    const { ask, may } = await keyOf('Web form')
    expect(statuses(await may())).toEqual([
      'POST /members 400',
      'GET /schemas/{organisationId} 200',
      'GET /me 200',
    ])
    const body = { 'Full Name': 'Cy Poe' }
    const response = await ask({ method: 'POST', path: '/members', body }, '198.51.100.1')
    expect(response.status).toBe(201)
  })

  test('the one of Power BI reads everything except contact details and private notes', async () => {
    const { ask, may } = await keyOf('Power BI')
    const answers = await may()
    // Only keys that write see imports, and webhooks need another permission.
    const reads = (await everyOperation()).filter(
      ({ method, path }) => method === 'GET' && !/^\/(imports|webhooks)/.test(path),
    )
    // The note that is asked for is private.
    const statusOf = (name: string) => (name.endsWith('{noteId}') ? 404 : 200)
    expect(statuses(answers)).toEqual(reads.map(({ name }) => `${name} ${statusOf(name)}`))
    const { records } = await demoRecords(demo.id)
    const whole = await Promise.all(
      Object.keys(records).map(async (name) => {
        const path = `/${name}?$format=csv&$formulas=raw`
        return (await ask({ method: 'GET', path }, '198.51.100.1')).text()
      }),
    )
    const allText = [...answers.map(({ text }) => text), ...whole].join('\n')
    for (const example of ['Household Size', 'Gardening', 'userStatus'])
      expect(allText).toContain(example)
    const secret = Object.values(records).flat().flatMap(contactsIn)
    expect(secret.length).toBeGreaterThan(500)
    expect(secret.filter((text) => allText.includes(text))).toEqual([])
  })

  test('the one of a partner reads events, from its network', async () => {
    const { ask, may } = await keyOf('Partner')
    expect(statuses(await may('203.0.113.7'))).toEqual([
      'GET /{collection}/$summary 200',
      'GET /{collection}/{id}/$versions 200',
      'GET /events 200',
      'GET /events/{eventId} 200',
      'GET /changes 200',
      'GET /me 200',
    ])
    expect(await may()).toEqual([])
    const feed = await ask({ method: 'GET', path: '/changes?$include=records' }, '203.0.113.7')
    const { changes } = await feed.json<{ changes: { collection: string }[] }>()
    expect(new Set(changes.map(({ collection }) => collection))).toEqual(new Set(['events']))
  })
})

/** E-mail addresses, telephone numbers, postcodes and names in a record, or the text of a private note. */
function contactsIn(record: Properties): string[] {
  if ('noteId' in record) return record.isPrivate === true ? [String(record.content)] : []
  const names = ['Email', 'Phone', 'Postcode', 'Full Name', 'userEmail', 'userName']
  return names.flatMap((name) => (record[name] ? [String(record[name])] : []))
}
