import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { expect, test } from 'vitest'
import type { Restrictions } from '../../../src/access/restrictions.ts'
import { recordType } from '../../../src/model/properties/record-type.ts'
import type { RecordDatabases } from '../../../src/platform/bindings.ts'
import { collection as responses } from '../../../src/resources/survey-responses.ts'
import { openForm } from '../../../src/sign-up/forms/open-form.ts'
import { submitForm } from '../../../src/sign-up/forms/submit.ts'
import { hashSecret } from '../../../src/sign-up/link.ts'
import { openPublicStore } from '../../../src/sign-up/public-pages.ts'
import { deleteExpiredFormLinks } from '../../../src/store/sign-up/form-links.ts'
import { publicPages } from '../../../src/store/sign-up-tables.ts'
import { failingDatabase } from '../../faults/failing-database.ts'
import { createKey } from '../../keys.ts'
import { newWriter, statusAndMessage } from '../../resources/writing.ts'
import { newQuestion } from './forms.ts'

const fields = ['Name', 'City'].map((id, order) => ({
  id,
  name: id,
  label: id,
  order,
  type: 'text',
}))

const questions = [
  newQuestion({ questionId: 'Name', title: 'Your name', required: true }),
  newQuestion({ questionId: 'City', title: 'Your city', order: 1 }),
]

const schemaForm = { type: 'survey', questions, schemaForm: true, formFor: 'Members' }

/** An organisation with public pages, a form `f`, the members a and b, and functions to answer it. */
async function newSite(form: object, enabled = 1) {
  const writer = await newWriter(fields)
  const { id, send, json } = writer
  await drizzle(env.DB).insert(publicPages).values({ organisationId: id, enabled, settings: '{}' })
  await send('PUT', '/forms/f', { addPersonPublic: true, ...form })
  for (const member of ['a', 'b']) await send('PUT', `/members/${member}`, { Name: member })
  return {
    ...writer,
    async links(request: object): Promise<string[]> {
      const answer = await send('POST', '/forms/f/$links', request)
      if (!answer.ok) return [String(answer.status), (await answer.json<Error>()).message]
      const { links } = await answer.json<{ links: { href: string }[] }>()
      return links.map(({ href }) => href.split('/f/')[1] ?? '')
    },
    /** Answers the form and returns the error, if any. */
    async answer(
      answers: Record<string, string>,
      link: string | undefined,
      token = randomToken(),
      databases: RecordDatabases = env,
    ) {
      const entries = new Map(Object.entries(answers).map(([id, text]) => [id, [text]]))
      const store = openPublicStore(databases, id)
      const context = { store, geography: env.GEOGRAPHY }
      const submission = { formId: 'f', secret: link, token, entries }
      return submitForm(context, submission).then(
        () => undefined,
        (error: Error) => error.message,
      )
    },
    responses: async () =>
      (await json<{ surveyResponses: Response[] }>('/survey-responses')).surveyResponses,
    members: async () =>
      (await json<{ members: { fields: { value: unknown }[] }[] }>('/members')).members.map((it) =>
        it.fields.map(({ value }) => value),
      ),
  }
}

type Response = {
  responses: { questionId: string; response: unknown }[]
  linkedEntities: { memberIds: string[] }
  surveyScore: number | null
}

const answered = 'You have answered this form already. Thank you.'

const randomToken = () => crypto.randomUUID()

test('a personal link opens only its form', async () => {
  const { id, send, links } = await newSite(schemaForm)
  await send('PUT', '/forms/g', schemaForm)
  const [link] = await links({ memberIds: ['a'] })
  const store = openPublicStore(env, id)
  expect(await openForm(store, 'f', link)).toMatchObject({ link: { person: { id: 'a' } } })
  await expect(openForm(store, 'g', link)).rejects.toThrow('This link does not exist')
})

test('an answer with a personal link is a response like any other, once', async () => {
  const { links, answer, responses: list, members, json } = await newSite(schemaForm)
  const [link] = await links({ memberIds: ['a'] })
  expect(await answer({ Name: 'Ada', City: 'Leeds' }, link)).toBe(undefined)
  const [response, ...others] = await list()
  expect(others).toEqual([])
  expect(recordType(responses.record).parse(response)).toEqual(response)
  expect(response).toMatchObject({
    surveyId: 'f',
    linkedEntities: { memberIds: ['a'], partnerIds: [], volunteerIds: [] },
    responses: [
      { questionId: 'Name', question: 'Your name', outcome: '', type: 'text', response: 'Ada' },
      { questionId: 'City', question: 'Your city', outcome: '', type: 'text', response: 'Leeds' },
    ],
    surveyScore: null,
  })
  expect(await members()).toEqual([['Ada', 'Leeds'], ['b']])
  const { changes } = await json<{ changes: { collection: string }[] }>(
    '/changes?collections=survey-responses',
  )
  expect(changes).toMatchObject([{ collection: 'survey-responses', change: 'created' }])
  const [second] = await links({ memberIds: ['a'] })
  for (const used of [link, second]) expect(await answer({ Name: 'Eve' }, used)).toBe(answered)
  expect(await members()).toEqual([['Ada', 'Leeds'], ['b']])
})

test.each([
  ['one personal link', 1],
  ['two personal links of one person', 2],
])(
  'of two answers sent at the same time with %s, one is stored and fills the person',
  async (_, count) => {
    const { links, answer, responses, members } = await newSite(schemaForm)
    const [first] = await links({ memberIds: ['a'] })
    const [second] = count === 2 ? await links({ memberIds: ['a'] }) : [first]
    const results = await Promise.all([
      answer({ Name: 'Ada', City: 'Leeds' }, first),
      answer({ Name: 'Ann' }, second),
    ])
    expect(results.toSorted()).toEqual([answered, undefined])
    const stored = await responses()
    expect(stored).toHaveLength(1)
    const values = stored[0]?.responses.map(({ response }) => response)
    expect(values).toEqual([['Ada', 'Leeds'], ['Ann']][results.indexOf(undefined)])
    expect(await members()).toEqual([values, ['b']])
  },
)

test('a form that is sent twice at once with a personal link is sent, once', async () => {
  const { links, answer, responses } = await newSite(schemaForm)
  const [link] = await links({ memberIds: ['a'] })
  const send = () => answer({ Name: 'Ada' }, link, 'token')
  expect(await Promise.all([send(), send()])).toEqual([undefined, undefined])
  expect(await send()).toBe(undefined)
  expect(await answer({ Name: 'Ann' }, link, 'token')).toBe(answered)
  expect(await responses()).toHaveLength(1)
})

test('an answer that was stored before the database failed fills its person when it is sent again', async () => {
  const { links, answer, responses, members } = await newSite(schemaForm)
  const [link] = await links({ memberIds: ['a'] })
  const isStored = async () => (await responses()).length > 0
  const { DB } = failingDatabase('lost before', isStored)
  const send = (databases: RecordDatabases) => answer({ Name: 'Ada' }, link, 'token', databases)
  expect(await send({ ...env, DB })).not.toBe(undefined)
  expect([await isStored(), await members()]).toEqual([true, [['a'], ['b']]])
  expect(await send(env)).toBe(undefined)
  expect(await members()).toEqual([['Ada'], ['b']])
  expect(await responses()).toHaveLength(1)
})

test('of answers sent at the same time with one link, one is stored', async () => {
  const { links, answer, responses } = await newSite(schemaForm)
  const [link] = await links({ withoutPerson: 1 })
  const results = await Promise.all([1, 2, 3].map((n) => answer({ Name: String(n) }, link)))
  expect(results.filter((it) => it === undefined)).toHaveLength(1)
  expect(await responses()).toHaveLength(1)
})

test('a form that allows several answers takes them, and one sent twice is one', async () => {
  const site = await newSite({ ...schemaForm, allowMultipleApplications: true })
  const [link] = await site.links({ memberIds: ['a'] })
  await site.answer({ Name: 'Ada' }, link)
  await site.answer({ Name: 'Ann' }, link, 'token')
  expect(await site.answer({ Name: 'Ann' }, link, 'token')).toBe(undefined)
  expect(await site.responses()).toHaveLength(2)
  expect(await site.members()).toEqual([['Ann'], ['b']])
  // Somebody goes back in the browser and changes an answer.
  expect(await site.answer({ Name: 'Anne' }, link, 'token')).toBe(undefined)
  expect(await site.responses()).toHaveLength(3)
  expect(await site.members()).toEqual([['Anne'], ['b']])
})

test('an answer to an open schema form creates its person, once', async () => {
  const { answer, members, responses } = await newSite(schemaForm)
  for (let times = 0; times < 2; times++)
    expect(await answer({ Name: 'Cy', City: 'York' }, undefined, 'token')).toBe(undefined)
  expect(await members()).toEqual([['a'], ['b'], ['Cy', 'York']])
  const [{ linkedEntities } = { linkedEntities: { memberIds: [] } }] = await responses()
  expect(linkedEntities.memberIds).toHaveLength(1)
})

test('an answer to another open form is about nobody', async () => {
  const { answer, members, responses } = await newSite({ ...schemaForm, schemaForm: false })
  await answer({ Name: 'Cy' }, undefined)
  expect(await members()).toHaveLength(2)
  expect(await responses()).toMatchObject([{ linkedEntities: { memberIds: [] } }])
})

test.each([{ type: 'anonymous' }, { settings: { isAnonymous: true } }])(
  'an anonymous form (%j) keeps no link to a person',
  async (settings) => {
    const site = await newSite({ ...schemaForm, ...settings })
    const [, message] = await site.links({ memberIds: ['a'] })
    expect(message).toContain('memberIds: is not possible: an anonymous form')
    const [link] = await site.links({ withoutPerson: 1 })
    await site.answer({ Name: 'Ada' }, link)
    expect(await site.members()).toEqual([['a'], ['b']])
    expect(await site.responses()).toMatchObject([{ linkedEntities: { memberIds: [] } }])
    const { results } = await env.DB.prepare('SELECT * FROM form_links WHERE organisation_id = ?')
      .bind(site.id)
      .all()
    expect(results).toEqual([])
  },
)

test('a score is the sum of the chosen options', async () => {
  const options = [1, 2, 3].map((value) => ({ label: String(value), value }))
  const question = newQuestion({ questionId: 's', type: 'Likert Scale', options })
  const { answer, responses } = await newSite({
    type: 'survey',
    questions: [question],
    settings: { calculateOverallScore: true, scoreDirection: 'descending' },
  })
  await answer({ s: '3' }, undefined)
  expect(await responses()).toMatchObject([{ surveyScore: 3, responses: [{ response: 3 }] }])
})

test.each<[string, object, string]>([
  ['archived', { settings: { isArchived: true } }, 'This form takes no answers any more.'],
  ['past its deadline', { deadline: '2026-01-01' }, 'This form takes no answers any more.'],
  ['closed', { addPersonPublic: false }, 'This form does not exist, or it needs a personal link.'],
  [
    'for people with a link',
    { settings: { requiresLogin: true } },
    'This form does not exist, or it needs a personal link.',
  ],
])('a form that is %s takes no answer', async (_, form, message) => {
  const { answer, responses } = await newSite({ ...schemaForm, ...form })
  expect(await answer({ Name: 'Cy' }, undefined)).toBe(message)
  expect(await responses()).toEqual([])
})

test('without public pages there is no form', async () => {
  const { answer, responses } = await newSite(schemaForm, 0)
  expect(await answer({ Name: 'Cy' }, undefined)).toBe('This page does not exist.')
  expect(await responses()).toEqual([])
})

test('every invalid answer is an error, and nothing is stored', async () => {
  const { answer, responses } = await newSite(schemaForm)
  expect(await answer({ Name: ' ', City: 'x'.repeat(1001) }, undefined)).toBe(
    'Name: “Your name” needs an answer. City: “Your city” must have at most 1,000 characters.',
  )
  expect(await responses()).toEqual([])
})

test('a link does no more than the key that made it', async () => {
  const { send, id, answer, members } = await newSite(schemaForm)
  const makeLink = async (restrictions: Restrictions, request: object) => {
    const may = ['read', 'write']
    const { key } = await createKey(env, id, 'limited', 'a test', undefined, may, restrictions)
    return send('POST', '/forms/f/$links', request, { 'x-api-key': key })
  }
  const toAda = { memberIds: ['a'] }
  const settings = 'An administrator can change it under Settings, Keys.'
  for (const [restrictions, request, message] of [
    [{ collections: ['forms', 'members'] }, toAda, 'This key cannot access survey responses.'],
    [{ collections: ['forms', 'survey-responses'] }, toAda, 'This key cannot access members.'],
    [
      { collections: ['forms', 'survey-responses'] },
      { withoutPerson: 1 },
      'This key cannot access members.',
    ],
    [
      { hideFields: ['City'] },
      toAda,
      'This key cannot see or write all that this form asks: City.',
    ],
  ] as const) {
    const refused = await makeLink(restrictions, request)
    expect(await statusAndMessage(refused)).toEqual([403, `${message} ${settings}`])
  }
  // The form asks for a hidden field only after the link was made.
  await send('PATCH', '/forms/f', { questions: questions.slice(0, 1) })
  const made = await makeLink({ hideFields: ['City'] }, toAda)
  expect(made.status).toBe(201)
  const { links } = await made.json<{ links: { href: string }[] }>()
  const [, link] = links[0]?.href.split('/f/') ?? []
  await send('PATCH', '/forms/f', { questions })
  expect(await answer({ Name: 'Ada', City: 'Hull' }, link)).toBe(
    'This form has changed, so this link does not work any more.',
  )
  expect(await members()).not.toContainEqual(expect.arrayContaining(['Hull']))
})

test('links are for people that the key sees, to a form that can be answered', async () => {
  const { links, answer, send, id } = await newSite(schemaForm)
  expect(await links({ memberIds: ['a', 'nobody'] })).toEqual([
    '400',
    'memberIds.1: must be the id of one of the members.',
  ])
  expect(await links({})).toEqual(['400', 'Ask for 1 to 250 links.'])
  expect(await links({ memberIds: ['a', 'a'] })).toEqual([
    '400',
    'memberIds.1: may appear only once.',
  ])
  expect(await links({ withoutPerson: 1, expires: '2020-01-01' })).toEqual([
    '400',
    'expires: must be within the next 366 days.',
  ])
  const may = ['read', 'write']
  const restrictions = { collections: ['forms'] }
  const { key } = await createKey(env, id, 'forms', 'a test', undefined, may, restrictions)
  const answerTo = await send('POST', '/forms/f/$links', { memberIds: ['a'] }, { 'x-api-key': key })
  expect(answerTo.status).toBe(403)
  const secret = 'a'.repeat(64)
  expect(await answer({ Name: 'Eve' }, secret)).toBe(
    'This link does not exist, or it was used already.',
  )
  const upload = { ...newQuestion({ type: 'Upload Images', required: true }), title: 'Photo' }
  await send('PATCH', '/forms/f', { questions: [...questions, upload] })
  const [status, message] = await links({ memberIds: ['a'] })
  expect([status, message]).toEqual(['409', expect.stringContaining('cannot receive files')])
})

test('a link expires, and is deleted then', async () => {
  const { links, answer } = await newSite(schemaForm)
  const inOneDay = new Date(Date.now() + 86_400_000).toISOString()
  const [link = ''] = await links({ memberIds: ['a'], expires: inOneDay })
  const isStored = () =>
    env.DB.prepare('SELECT 1 FROM form_links WHERE hash = ?').bind(hash).first()
  const hash = await hashSecret(link)
  await deleteExpiredFormLinks(env.DB, Date.now())
  expect(await isStored()).toBeTruthy()
  await env.DB.prepare(`UPDATE form_links SET expires = '2026-01-01' WHERE hash = ?`)
    .bind(hash)
    .run()
  expect(await answer({ Name: 'Ada' }, link)).toBe('This link has expired.')
  await deleteExpiredFormLinks(env.DB, Date.now())
  expect(await isStored()).toBe(null)
})
