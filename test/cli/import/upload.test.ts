import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { type PartLimits, splitFile } from '../../../cli/import/file-parts.ts'
import { uploadFiles } from '../../../cli/import/upload-files.ts'
import { parseSchema } from '../../../src/records/schema/schema.ts'
import { putSchemas } from '../../../src/store/settings/schemas.ts'
import { createKey } from '../../keys.ts'
import { runAdmin as command } from '../in-process.ts'
import { localWorker } from '../local-worker.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = await temporaryFolder()
const worker = await localWorker()
const { organisationId } = worker
const may = ['read', 'create-members', 'write']
const { key } = await createKey(worker.env, organisationId, 'nightly', 'a test', undefined, may)

afterAll(() => {
  vi.unstubAllEnvs()
})

const file = async (name: string, text: string) => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

/** Runs the command with a key of the environment. */
function admin(args: string[], apiKey = key) {
  vi.stubEnv('API_KEY', apiKey)
  return command('import', organisationId, ...args, '--url', worker.url.origin)
}

const total = async (collection: string) => {
  const answer = await worker.fetch(`/api/v1/${collection}`, { headers: { 'x-api-key': key } })
  return ((await answer.json()) as { total: number }).total
}

test('files are sent with a key of the environment, and reported as those of the machine are', async () => {
  const events = await file('events.csv', 'eventId,name\r\na,A\r\nb,B\r\n')
  const bad = await file('case-notes.ndjson', '{"noteId":"n"}\n{"noteId":"n"}\n{"noteId":7}\n')
  const to = { url: worker.url.href, organisationId, key, progress: () => {} }
  expect(await Array.fromAsync(uploadFiles([events], to, true))).toMatchObject([
    { created: 2, updated: 0, unchanged: 0, errors: [] },
  ])
  expect(await total('events')).toBe(0)
  expect(await admin([events, bad])).toEqual({
    status: 1,
    stdout: [
      `${events}: nothing imported, as another file has errors.`,
      `${bad}:2: noteId is already used on an earlier line.`,
      `${bad}:3: noteId must be a text.`,
      `${bad}: nothing imported, 2 errors.`,
      '',
    ].join('\n'),
    stderr: '',
  })
  expect([await total('events'), await total('case-notes')]).toEqual([0, 0])
  const notes = await file('case-notes.ndjson', '{"noteId":"n"}\n')
  expect(await admin([events, notes])).toMatchObject({ status: 0 })
  expect([await total('events'), await total('case-notes')]).toEqual([2, 1])
})

test('a key without `read` sees only the number of accepted records', async () => {
  const alone = await createKey(worker.env, organisationId, 'alone', 'a test', undefined, ['write'])
  const funds = await file('funds.csv', 'fundId,recipientType\nf,individual\n')
  expect(await admin([funds], alone.key)).toEqual({
    status: 0,
    stderr: '',
    stdout: `${funds}: 1 funds imported.\n`,
  })
})

test('streams a file, and changes only its fields of existing records', async () => {
  const people = await file(
    'people.csv',
    'Ref;Name;Born;Postcode\nm-1;Ann;31/12/1960;LS11 0ES\nm-2;Bo;;ls1 4ap\n',
  )
  const infer = ['--infer', '--collection', 'members', '--id', 'Ref']
  const asked = (path: string, ...more: string[]) => admin([path, ...infer, ...more])
  expect(await asked(people)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      'lacks "Ref" (uniqueId), "Full Name" (text), "Born" (date), "Postcode" (postcode). A key',
    ),
  })
  const schema = parseSchema('members', {
    fields: [
      { id: 'Full Name', type: 'text' },
      { id: 'Born', type: 'date' },
      { id: 'Postcode', type: 'postcode' },
    ],
  })
  await putSchemas(worker.env.DB, organisationId, { members: schema.data })
  expect(await asked(people)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Imported: 2 new members.'),
  })
  const next = await file('next.csv', 'Ref;Name;Shoe size\nm-1;Anne;38\nm-2;Bo;39\n')
  const lacking = await asked(next, '--add-fields')
  expect([lacking.status, lacking.stderr]).toEqual([
    1,
    expect.stringContaining(
      'lacks "Ref" (uniqueId), "Shoe size" (number). A key cannot add fields',
    ),
  ])
  const outcome = async (...more: string[]) => {
    const { stdout, status } = await asked(next, ...more)
    return [status, /^(?:Not i|I)mported.*$/m.exec(stdout)?.[0]]
  }
  expect(await outcome('--dry-run')).toEqual([0, 'Not imported: 1 changed, 1 unchanged members.'])
  expect(await outcome()).toEqual([0, 'Imported: 1 changed, 1 unchanged members.'])
  expect(await outcome()).toEqual([0, 'Imported: 2 unchanged members.'])
  const shown = async () => {
    const answer = await worker.fetch('/api/v1/members/m-1', { headers: { 'x-api-key': key } })
    return JSON.stringify(await answer.json())
  }
  expect(await shown()).toMatch(/"Anne".*"1960-12-31".*"LS11 0ES"/)
  const cleared = await file('cleared.csv', 'Ref;Postcode\nm-1;\nm-2;LS1 4AP\n')
  expect((await asked(cleared)).status).toBe(0)
  expect(await shown()).toMatch(/"Anne".*"1960-12-31"(?!.*LS11)/)
  const bad = await file('bad.csv', 'Ref;Born\nm-2;31/02/1990\n')
  expect((await asked(bad)).status).toBe(1)
})

test('without a key, with a bad one, and to an address that others can read, nothing is sent', async () => {
  const events = await file('events.csv', 'eventId\na\n')
  const to = { url: worker.url.origin, organisationId, key, progress: () => {} }
  const refused = async (path: string, more: object) =>
    Array.fromAsync(uploadFiles([path], { ...to, ...more })).catch((error) => error.message)
  expect(await refused(events, { key: undefined })).toContain('Set API_KEY to a key')
  expect(await refused(events, { key: 'sk_none' })).toContain('answered 401. x-api-key: must be')
  expect(await refused(events, { organisationId: 'other' })).toContain('answered 401.')
  for (const url of ['http://api.example.org', 'api.example.org', 'ftp://x'])
    expect(await refused(events, { url })).toContain('--url must be the address of a service')
  for (const name of ['schemas', 'settings'])
    expect(await refused(await file(`${name}.json`, '{}'), {})).toContain(
      `${name} are imported by the operator`,
    )
})

test('a part that could not be sent is sent again, as the same request', async () => {
  const keys: unknown[] = []
  const server = createServer((request, answer) => {
    keys.push(request.headers['idempotency-key'])
    const isLast = keys.length === 2
    request.resume().on('end', () => {
      answer.writeHead(isLast ? 200 : 503, { 'Retry-After': '0.01' })
      answer.end('{"created":1,"updated":0,"unchanged":0,"rejected":0,"errors":[]}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const events = await file('events.csv', 'eventId\na\n')
  const to = { url: `http://127.0.0.1:${port}`, organisationId, key, progress: () => {} }
  expect(await Array.fromAsync(uploadFiles([events], to))).toMatchObject([{ records: 1 }])
  expect(keys).toEqual([expect.any(String), keys[0]])
  server.close()
})

async function divided(text: string, isCsv: boolean, most: PartLimits) {
  async function* bytes() {
    for (const byte of new TextEncoder().encode(text)) yield new Uint8Array([byte])
  }
  const { headerEnd, parts } = await splitFile('a file', bytes(), isCsv, most)
  return {
    head: text.slice(0, headerEnd),
    parts: parts.map(({ from, to, linesBefore }) => [text.slice(from, to), linesBefore]),
  }
}

test('a file is divided between its rows, and each part knows its place', async () => {
  const csv = '"a\nb",c\n1,"x\ny"\n2,"z"""\n3,\n4,5'
  expect(await divided(csv, true, { bytes: 1000, records: 2 })).toEqual({
    head: '"a\nb",c\n',
    parts: [
      ['"a\nb",c\n1,"x\ny"\n2,"z"""\n', 0],
      ['3,\n4,5', 3],
    ],
  })
  const ndjson = '{"a":"\\""}\n\n{}\n{}\n'
  expect(await divided(ndjson, false, { bytes: 14, records: 100 })).toEqual({
    head: '',
    parts: [
      ['{"a":"\\""}\n\n', 0],
      ['{}\n{}\n', 2],
    ],
  })
  expect(await divided('a\n1\n', true, { bytes: 1000, records: 100 })).toEqual({
    head: 'a\n',
    parts: [['a\n1\n', 0]],
  })
  await expect(divided('{"a":"long"}\n', false, { bytes: 5, records: 9 })).rejects.toThrow(
    'a file has a row of more than 5 bytes.',
  )
})
