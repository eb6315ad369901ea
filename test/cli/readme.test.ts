import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOf, loadDemo } from '../../cli/demo.ts'
import { createKey } from '../../src/auth/key-acts.ts'
import { startLocalWorker } from './local-worker.ts'

const readme = readFileSync('README.md', 'utf8')

let worker: Awaited<ReturnType<typeof startLocalWorker>>
let key: string

beforeAll(async () => {
  worker = await startLocalWorker('')
  await loadDemo(worker.env, asOf)
  const may = ['read', 'write']
  const made = await createKey(
    worker.env,
    worker.organisationId,
    'readme',
    'a test',
    undefined,
    may,
  )
  key = made.key
})

afterAll(() => worker?.close())

/** The address a command in the README asks, on the test's own service. */
const asked = (path: string) => new URL(path, worker.url.origin)

test("the README's first query has the answer that stands below it", async () => {
  const [, path = ''] =
    /curl .*'http:\/\/localhost:8787(\/api\/v1\/members\?[^']+)'/.exec(readme) ?? []
  const [, shown = ''] = /```json\n(.*?)```/s.exec(readme) ?? []
  const answer = await fetch(asked(path), { headers: { 'x-api-key': key } })
  expect(await answer.json()).toEqual(JSON.parse(shown))
})

test('a reader finds a page of their own and a member before any table', () => {
  const [introduction = ''] = readme.split('\n|')
  for (const role of ['use Power BI', 'import', 'integrate', 'operate'])
    expect(introduction).toContain(`- **I ${role}**`)
  expect(introduction).toContain('"memberId": "member-0016"')
  for (const [, target = ''] of readme.matchAll(/\]\((?!https:)([^)#]+)/g))
    expect([target, existsSync(target)]).toEqual([target, true])
})

test('the member that the README creates is created', async () => {
  const [, body = ''] = /-d '(\{.*\})'/.exec(readme) ?? []
  const answer = await fetch(asked('/api/v1/members'), {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
    body,
  })
  expect(answer.status).toBe(201)
})

test.skipIf(spawnSync('curl', ['--version']).error)(
  'the member that the README writes is created, corrected, followed, deleted and gone',
  async () => {
    const [, block = ''] = /```sh\n(api\(\).*?)```/s.exec(readme) ?? []
    const [api = '', ...lines] = block
      .replace('http://localhost:8787', worker.url.origin)
      .trimEnd()
      .split('\n')
    const said: string[] = []
    let next = ''
    for (const line of lines) {
      const script = `${api}\n${line.replace('<next>', next)}`
      const env = { ...process.env, KEY: key }
      const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
      said.push(stdout)
      next = /"next":"([^"]+)"/.exec(stdout)?.[1] ?? next
    }
    const [, put, patched, found, changed, deleted, nobody, gone] = said.map((text) =>
      text ? JSON.parse(text) : text,
    )
    const ada = (phone: string) => ({
      memberId: 'ada',
      fields: [{ value: 'Ada Example' }, { value: phone }],
    })
    expect(put).toMatchObject({ member: ada('07700 900123') })
    expect(patched).toMatchObject({ member: ada('07700 900456') })
    expect(found).toMatchObject({ members: [ada('07700 900456')] })
    expect(changed.changes).toMatchObject([{ collection: 'members', id: 'ada', change: 'updated' }])
    expect(deleted).toBe('')
    expect(nobody).toMatchObject({ members: [] })
    expect(gone.changes).toMatchObject([{ collection: 'members', id: 'ada', change: 'deleted' }])
  },
)

test.each([...readme.matchAll(/^\| (?:POST )?(`\/.*?) \|/gm)].map(([, cell = '']) => cell))(
  'the endpoints %s are there',
  async (cell) => {
    const document = await (await fetch(asked('/api/v1/openapi.json'))).json<{
      paths: object
    }>()
    for (const [, path = ''] of cell.matchAll(/`(\/.*?)`/g)) {
      expect(Object.keys(document.paths)).toContain(path)
    }
  },
)
