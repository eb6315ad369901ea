import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { newPerson } from './auth/identity.ts'
import { everything } from './examples/everything.ts'
import { fields } from './examples/people.ts'
import { newOrganisation, request } from './organisation.ts'

type Parameter = { name: string; in: string }
type Paths = Record<string, Record<string, { parameters: Parameter[] } | undefined>>
type Organisation = Awaited<ReturnType<typeof newOrganisation>>

const kinds = ['members', 'volunteers', 'partners'] as const

/** A text that only the other organisation holds. */
const secret = 'Xylophonia'

/** Ids that look alike, one of which both organisations have. */
const alike = (id: string) => [id, `${id} `, id.toUpperCase(), `${id}%`, `${id}-${secret}`]

/** Gives an organisation everything once for each id, with every text that is not the id's marked. */
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

/** Every request: each path with each id, with each documented parameter and what either organisation holds. */
async function requests(own: string, other: string): Promise<string[]> {
  const { paths } = await (await request('/openapi.json')).json<{ paths: Paths }>()
  return Object.entries(paths).flatMap(([template, { get }]) => {
    const ids = alike(everything[template.split('/')[1] ?? '']?.id ?? '')
    if (template.includes('{organisationId}')) {
      return [own, other].map((id) => template.replace('{organisationId}', id))
    }
    if (template.includes('{')) {
      return ids.map((id) => template.replace(/\{\w+\}/, encodeURIComponent(id)))
    }
    const named = get?.parameters.filter((it) => it.in === 'query').map(({ name }) => name) ?? []
    return [
      template,
      ...[...named, 'name', 'memberId', '$x'].flatMap((name) =>
        ['2', secret, other, ...ids.slice(-1)].map(
          (value) => `${template}?${new URLSearchParams({ [name]: value })}`,
        ),
      ),
    ]
  })
}

/** What a request is answered with; what it cost is told to nobody who may not ask. */
async function answerTo(path: string, headers: Record<string, string>) {
  const answer = await request(path, { headers })
  if (answer.status === 401 && !path.startsWith('/schemas'))
    expect(answer.headers.has('Server-Timing')).toBe(false)
  return { path, status: answer.status, body: await answer.text() }
}

test.each(['key', 'token'])("with a %s, nothing of another organisation's is told", async (by) => {
  const [own, other] = [await newOrganisation(), await newOrganisation()]
  await fill(own, '', (id) => [id])
  const person = newPerson()
  await own.add(person.email)
  const headers: Record<string, string> =
    by === 'key' ? { 'x-api-key': own.key } : { Authorization: `Bearer ${await person.token()}` }
  const asked = (await requests(own.id, other.id)).map((path) =>
    by === 'key' || path.includes('organisationId=')
      ? path
      : `${path}${path.includes('?') ? '&' : '?'}organisationId=${own.id}`,
  )
  const ask = async () => {
    const answers = []
    for (const path of asked) answers.push(await answerTo(path, headers))
    return answers
  }
  const before = await ask()
  await fill(other, secret, alike)
  const after = await ask()

  expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(50)
  expect(
    after.filter(({ body }) => [secret, other.id, other.key].some((it) => body.includes(it))),
  ).toEqual([])
  // That a member is another organisation's is all that may be told (decisions 5).
  const told = before.map((answer, place) => {
    const now = after[place]
    return now?.status === 403 && answer.status === 404 ? now : answer
  })
  expect(after).toEqual(told)
})

test("what is created in one organisation is none of another's", async () => {
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
