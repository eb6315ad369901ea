import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { pageMemory } from '../src/formats/page-memory.ts'
import { rememberDatabase } from '../src/store/databases.ts'
import { credentialsOf } from './auth/credentials.ts'
import { everything } from './examples/everything.ts'
import { fields } from './examples/people.ts'
import { failingDatabase, requestWith } from './faults/failing-database.ts'
import { readDocument } from './http/openapi-document.ts'
import { newOrganisation } from './organisation.ts'

type Organisation = Awaited<ReturnType<typeof newOrganisation>>

const kinds = ['members', 'volunteers', 'partners'] as const

/** A text that only the other organisation has. */
const secret = 'Xylophonia'

/** Similar ids; both organisations have the first. */
const similarIds = (id: string) => [id, `${id} `, id.toUpperCase(), `${id}%`, `${id}-${secret}`]

/** Fills an organisation with one record per collection and id, and marks every other text. */
async function fill({ put, schema }: Organisation, mark: string, ids: (id: string) => string[]) {
  const marked = fields.map((field) => ({ ...field, label: field.label + mark }))
  for (const kind of kinds) await schema(kind, marked, `Schema${mark}`)
  for (const [collection, { id, document }] of Object.entries(everything)) {
    const text = JSON.stringify(document).replaceAll(
      /("(?:name|title|content|Full Name)":")/g,
      `$1${mark}`,
    )
    await put(
      collection,
      ids(id).map((own) => ({
        id: own,
        document: JSON.parse(text.replaceAll(JSON.stringify(id), JSON.stringify(own))),
      })),
    )
  }
}

/**
 * Every path with each id, and with each documented parameter: of either organisation's values, which are together.
 */
async function requests(own: string, other: string): Promise<string[][]> {
  const examples: Record<string, string> = {
    organisationId: other,
    limit: '2',
    offset: '2',
    $format: 'csv',
  }
  const { paths } = await readDocument()
  return Object.entries(paths).flatMap(([template, { get }]) => {
    const ids = similarIds(everything[template.split('/')[1] ?? '']?.id ?? '')
    if (template.includes('{organisationId}')) {
      return [own, other].map((id) => [template.replace('{organisationId}', id)])
    }
    if (template.includes('{')) {
      return ids.map((id) => [template.replace(/\{\w+\}/, encodeURIComponent(id))])
    }
    // The filters on properties, which share a schema, are tried with one of them.
    const names =
      get?.parameters
        .filter((it) => it.in === 'query' && !it.schema.$ref)
        .map(({ name }) => name) ?? []
    return [
      [template],
      ...[...names, 'name', 'memberId', '$x'].map((name) =>
        [secret, examples[name] ?? ids.at(-1) ?? ''].map(
          (value) => `${template}?${new URLSearchParams({ [name]: value })}`,
        ),
      ),
    ]
  })
}

/** The response to a request, and its cost: rows read, if shown, and database calls. */
async function send(path: string, headers: Record<string, string>) {
  const { DB, happened } = failingDatabase('lost before', () => false)
  const from = { 'CF-Connecting-IP': crypto.randomUUID() }
  const answer = await requestWith({ DB }, path, { headers: { ...headers, ...from } })
  return {
    path,
    status: answer.status,
    // Without the time at the start of a person's data.
    body: (await answer.text()).replace(/^\{"at":"[^"]*",/, '{'),
    rows: answer.headers.get('Server-Timing')?.replace(/^.*;/, ''),
    calls: happened.calls,
  }
}

type Answer = Awaited<ReturnType<typeof send>>

const validCredentials = [
  'key',
  'token of a member',
  'token of an administrator',
  'token of a member of both',
]
const invalidCredentials = [
  'revoked key',
  'expired key',
  'deleted key',
  "other organisation's key",
  "token of the other's member",
  'token of nobody',
  'expired token',
  'nothing',
]

const usersOfOther = [
  'token of a member of both',
  "other organisation's key",
  "token of the other's member",
]

/**
 * Every path and parameter with the first credential in the first case, and some with each other one: fewer with
 * invalid ones, whose 401 test/security/every-route.test.ts covers. All of them with all values in a long run.
 */
function sample(groups: string[][], index: number, name: string, isFirst: boolean): string[] {
  const paths = groups.flat()
  if (env.TEST_RUNS > 1) return paths
  if (isFirst && index === 0) return groups.flatMap((paths, at) => paths[at % paths.length] ?? [])
  const step = invalidCredentials.includes(name) ? 97 : 11
  return paths.filter((_, path) => path % step === index % step)
}

/** Adds the organisation to the query. */
const withOrganisation = (path: string, id: string) =>
  path.includes('organisationId=')
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}organisationId=${id}`

describe.each([
  ['DB', 'DB'],
  ['DB', 'DB_1'],
  ['DB_1', 'DB'],
] as const)('an organisation in %s and another in %s', (ownDatabase, otherDatabase) => {
  const isFirst = ownDatabase === otherDatabase
  /** Texts of the other organisation: its marker, id and key. */
  let theirs: string[]
  const before = new Map<string, Answer[]>()
  const after = new Map<string, Answer[]>()

  // Sends every request with all credentials before and after the other organisation gets records.
  beforeAll(async () => {
    const own = await newOrganisation(null, ownDatabase)
    const other = await newOrganisation(null, otherDatabase)
    theirs = [secret, other.id, other.key]
    await fill(own, '', (id) => [id])
    // An index range reads the row beyond its end, so this adds a row.
    for (const collection of Object.keys(everything)) {
      await other.put(collection, [{ id: 'neighbour', document: { neighbour: 'x' } }])
    }
    const credentials = await credentialsOf(own, other)
    const allPaths = (await requests(own.id, other.id)).map((paths) =>
      paths.map((path) => withOrganisation(path, own.id)),
    )
    const ask = async (answers: Map<string, Answer[]>) => {
      for (const [index, [name, headers]] of [...credentials].entries()) {
        const paths = sample(allPaths, index, name, isFirst).filter(
          (path) => !usersOfOther.includes(name) || !path.includes(`organisationId=${other.id}`),
        )
        answers.set(name, await Promise.all(paths.map((path) => send(path, headers))))
      }
    }
    // What is remembered of an organisation is read again after a minute, which a busy machine takes.
    vi.useFakeTimers({ toFake: ['Date'] })
    // The first request for an organisation also finds its database.
    rememberDatabase(own.id, ownDatabase)
    rememberDatabase(other.id, otherDatabase)
    // The first use of a credential is recorded, and the first filter reads the schema, the first cursor the
    // organisation's key: they cost more.
    for (const headers of credentials.values()) {
      const people = kinds.flatMap((kind) => [`/${kind}?x=y`, `/${kind}?$orderby=x`])
      for (const path of ['/events', '/events?$skiptoken=x', ...people]) {
        await send(withOrganisation(path, own.id), headers)
      }
    }
    // A repeated request reads fewer rows, which would hide a difference.
    const withoutMemory = vi.spyOn(pageMemory, 'get').mockReturnValue(undefined)
    await ask(before)
    await fill(other, secret, similarIds)
    await ask(after)
    withoutMemory.mockRestore()
    vi.useRealTimers()
  }, 600_000)

  test.each(validCredentials)('with a %s, nothing of another organisation is visible', (name) => {
    const [earlier, later] = [before.get(name) ?? [], after.get(name) ?? []]
    expect(earlier.filter(({ status }) => status === 200).length).toBeGreaterThan(10)
    // A message may repeat the secret from the query, also when nobody has stored it yet.
    const leaks = later.filter(({ body }, index) =>
      theirs.some(
        (it) => body.includes(it) && (it !== secret || !earlier[index]?.body.includes(it)),
      ),
    )
    expect(leaks).toEqual([])
    // The only permitted difference: 403 for another organisation's member.
    const normalised = later.map((answer, index) => {
      const known = earlier[index]
      return answer.status === 403 && known?.status === 404 ? known : answer
    })
    expect(normalised).toEqual(earlier)
  })

  test.each(invalidCredentials)('with %s, everything is 401 and costs the same', (name) => {
    const [earlier, later] = [before.get(name), after.get(name)]
    expect(later).toEqual(earlier)
    expect(new Set(later?.map(({ status }) => status))).toEqual(new Set([401]))
    expect(new Set(later?.map(({ rows }) => rows))).toEqual(new Set([undefined]))
  })
})

test('a record created in one organisation is invisible in another', async () => {
  const [own, other] = [await newOrganisation(), await newOrganisation()]
  const unique = [{ id: 'number', name: 'number', label: 'Number', type: 'uniqueId', order: 0 }]
  await own.schema('members', unique)
  await other.schema('members', unique)
  const create = async ({ get, key }: Organisation) => {
    const headers = { 'x-api-key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'k' }
    return get('/members', { method: 'POST', headers, body: '{"number":"7"}' })
  }
  const answers = [await create(own), await create(other)]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  const ids = await Promise.all(answers.map((answer) => answer.text()))
  expect(new Set(ids).size).toBe(2)
  const { results } = await env.DB.prepare(
    'SELECT organisation_id AS id FROM records WHERE organisation_id IN (?, ?) ORDER BY row',
  )
    .bind(own.id, other.id)
    .all()
  expect(results).toEqual([{ id: own.id }, { id: other.id }])
})
