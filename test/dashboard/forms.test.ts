import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import type { MailMessage } from '../../src/mail/mail.ts'
import type { SurveyForm } from '../../src/model/forms/survey-form.ts'
import { sendDueMessages } from '../../src/sign-up/mailings/send-due.ts'
import { newForm, newQuestion } from '../sign-up/forms/forms.ts'
import { toBinding } from '../sign-up/site.ts'
import { newSignedIn, readForm, unescaped } from './signed-in.ts'

/** An editor with a form `f`, and functions to build it. */
async function withForm(form: object = {}, bindings?: object) {
  const editor = await newSignedIn('editor', undefined, bindings)
  const { id, json, html, put, schema } = editor
  await env.DB.prepare(
    `INSERT INTO public_pages (organisation_id, enabled, settings) VALUES (?, 1, '{}')`,
  )
    .bind(id)
    .run()
  await schema('members', [
    { id: 'Name', name: 'Name', label: 'Full name', type: 'text', order: 0 },
    {
      id: 'Likes',
      name: 'Likes',
      label: 'Likes',
      type: 'multipleSelect',
      order: 1,
      options: ['Tea', 'Cake'].map((value) => ({ value, label: value })),
    },
  ])
  await put('forms', [{ id: 'f', document: newForm({ managedBy: id, ...form }) }])
  return {
    ...editor,
    form: async (formId = 'f') => (await json<{ form: SurveyForm }>(`/forms/${formId}`)).form,
    page: async (path = '') => unescaped(await html(`/forms/f${path}`)),
    /** Presses a button of the form's page, with the version that the page has. */
    async press(action: string, etag?: string) {
      const page = unescaped(await html('/forms/f'))
      const current = /name="\$etag" value="("\d+")"/.exec(page)?.[1] ?? ''
      return editor.post('/forms/f/change', [
        ['$etag', etag ?? current],
        ['action', action],
      ])
    },
  }
}

test('a new form gets its settings', async () => {
  const { submit, form, html } = await withForm()
  const answer = await submit('/forms/new', {
    name: 'Check-in',
    description: 'Two questions.',
    addPersonPublic: 'true',
    ...{ 'settings.coverPage': 'true', 'settings.afterSubmitMessage': 'Bye.' },
    deadline: '2036-07-01T17:00',
  })
  const [, id = ''] = /forms\/([^/]+)$/.exec(answer.headers.get('Location') ?? '') ?? []
  expect(await form(id)).toMatchObject({
    name: 'Check-in',
    type: 'survey',
    addPersonPublic: true,
    schemaForm: false,
    deadline: '2036-07-01T16:00:00.000Z',
    settings: { coverPage: true, isArchived: false, afterSubmitMessage: 'Bye.' },
  })
  const path = `/forms/${id}/settings`
  expect((await submit(path, { name: '', schemaForm: 'true' })).status).toBe(400)
  await submit(path, { name: 'Renamed' })
  expect(await form(id)).toMatchObject({ name: 'Renamed', settings: { coverPage: true } })
  const list = await html('/forms')
  expect(list).toContain('Renamed')
  expect(list).toContain('Anyone with the address.')
})

test('questions are added, changed, moved and removed', async () => {
  const { submit, form, press } = await withForm({ questions: [] })
  const titles = async () => (await form()).questions.map(({ title, order }) => [title, order])
  await submit('/forms/f/question?section=0', {
    title: 'How often?',
    type: 'Likert Scale',
    required: 'true',
    options: '1 | Never\r\n2 | Always',
  })
  const scored = await form()
  expect(scored).toMatchObject({ questionCount: 1, sections: [{ title: '' }] })
  const [question = newQuestion({})] = scored.questions
  expect(question).toMatchObject({
    title: 'How often?',
    required: true,
    section: 0,
    order: 0,
    options: [
      { value: 1, label: 'Never' },
      { value: 2, label: 'Always' },
    ],
  })
  await submit('/forms/f/question', { title: 'Why?', wordCount: '50' })
  await submit(`/forms/f/question?id=${question.questionId}`, {
    title: 'How much?',
    minAllowed: '',
  })
  expect(await titles()).toEqual([
    ['How much?', 0],
    ['Why?', 1],
  ])
  await press(`down ${question.questionId}`)
  expect(await titles()).toEqual([
    ['Why?', 0],
    ['How much?', 1],
  ])
  await press(`remove ${question.questionId}`)
  expect(await titles()).toEqual([['Why?', 0]])
})

test('a question is asked after some answers, which a later change cannot take away', async () => {
  const options = ['Tea', 'Cake'].map((value) => ({ value, label: `Some ${value}` }))
  const { submit, form, press, page } = await withForm({
    questions: [newQuestion({ type: 'Checkbox', options })],
  })
  const draft = { title: 'Which?', showIfQuestion: 'q', showIfAnswers: 'Tea\r\nCoffee' }
  const refused = await submit('/forms/f/question', draft)
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('must be lines from these: Some Tea, Some Cake.'),
  ])
  await submit('/forms/f/question', {
    ...draft,
    ...{ showIfAnswers: 'Some Tea\r\nCake', showIfNot: 'true' },
  })
  const { questions } = await form()
  expect(questions[1]).toMatchObject({
    hasConditions: true,
    $showIf: { questionId: 'q', answers: ['Tea', 'Cake'], isNot: true },
  })
  expect(await page()).toContain('Asked if “A question” is not Some Tea or Some Cake')
  const removed = await press('remove q')
  const cookie = removed.headers.get('Set-Cookie') ?? ''
  expect(decodeURIComponent(cookie)).toContain('“Which?” is asked only after some answers')
  expect((await form()).questions).toEqual(questions)
  const path = `/question?id=${questions[1]?.questionId}`
  expect(await page(path)).toContain('Some Tea\nSome Cake</textarea>')
  await submit(`/forms/f${path}`, { showIfQuestion: '' })
  const [, always] = (await form()).questions
  expect(always).toMatchObject({ title: 'Which?', hasConditions: false })
  expect(always).not.toHaveProperty('$showIf')
})

test.each<[string, Record<string, string>, string]>([
  ['title', { title: '' }, 'must not be empty.'],
  ['options', { type: 'Dropdown' }, 'must have a line for each option.'],
  ['options', { type: 'Dropdown', options: 'a\nb\na' }, 'has a twice.'],
  ['type', { type: 'Sonnet' }, 'must be one of the types.'],
  ['maxAllowed', { minAllowed: '3', maxAllowed: '2' }, 'must not be less than the minimum.'],
  ['wordCount', { wordCount: '1.5' }, 'must be a whole number, at least 1.'],
  ['type', { field: 'Likes' }, 'must suit the field Likes.'],
])('an invalid %s of a question is an error: %j', async (name, values, message) => {
  const { submit, form } = await withForm({ schemaForm: true, formFor: 'Members' })
  const answer = await submit('/forms/f/question', { title: 'A title', ...values })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain(`id="field-${name}-error">${message}`)
  expect((await form()).questions).toHaveLength(1)
})

test('a question of a schema form fills the field of its id, with its options', async () => {
  const { submit, form } = await withForm({ schemaForm: true, formFor: 'Members', questions: [] })
  await submit('/forms/f/question', {
    title: 'What do you like?',
    type: 'Dropdown: Multiple choice',
    field: 'Likes',
  })
  expect((await form()).questions).toMatchObject([
    { questionId: 'Likes', options: [{ value: 'Tea' }, { value: 'Cake' }] },
  ])
})

test('sections are added, renamed, moved and removed, with their questions', async () => {
  const { submit, form, press } = await withForm()
  await submit('/forms/f/section?index=0', { title: 'You' })
  await submit('/forms/f/section', { title: 'Us', description: 'All of us.' })
  await press('section-up 1')
  const moved = await form()
  expect(moved.sections.map(({ title }) => title)).toEqual(['Us', 'You'])
  expect(moved.questions).toMatchObject([{ section: 1 }])
  await press('section-remove 1')
  expect(await form()).toMatchObject({ sections: [{ title: 'Us' }], questions: [{ section: 0 }] })
})

test('a change of somebody else is not lost', async () => {
  const { submit, form, press, put, id, page } = await withForm()
  const changed = newForm({ managedBy: id, name: 'Theirs' })
  const answer = await submit('/forms/f/question', { title: 'Mine' }, () =>
    put('forms', [{ id: 'f', document: changed }]),
  )
  expect(answer.status).toBe(412)
  expect(await answer.text()).toContain('value="Mine"')
  await press('remove q', '"1"')
  expect(await form()).toMatchObject({ name: 'Theirs', questions: [{ questionId: 'q' }] })
  expect(await page()).toContain('Somebody else changed this form')
})

test('the page says why a form cannot be published', async () => {
  const upload = newQuestion({ title: 'A photo', type: 'Upload Images', required: true })
  const { page, put, id } = await withForm({ questions: [upload] })
  expect(await page()).toContain('“A photo” must be answered with a file')
  await put('forms', [{ id: 'f', document: newForm({ managedBy: id }) }])
  expect(await page()).toContain(`href="https://data.test/o/${id}/forms/f"`)
})

test('a preview goes through the form and stores nothing', async () => {
  const { visit, post, json } = await withForm({ questions: [newQuestion({ required: true })] })
  expect(await (await visit('/forms/f/preview')).text()).toContain('This is a preview')
  const send = async (values: Record<string, string>) =>
    unescaped(await (await post('/forms/f/preview', Object.entries(values))).text())
  expect(await send({ page: '0', go: 'next' })).toContain('“A question” needs an answer.')
  expect(await send({ page: '0', go: 'next', 'q.q': 'Yes' })).toContain('Check your answers')
  expect(await send({ page: 'check', go: 'send', 'q.q': 'Yes' })).toContain('Answers sent')
  expect(await json('/survey-responses')).toMatchObject({ total: 0 })
})

test('links are made for the people found', async () => {
  const { put, page, post, id } = await withForm()
  await put('members', [{ id: 'm', document: { memberId: 'm', Name: 'Ada Abara' } }])
  expect(await page('/links?q=aba')).toContain('>Ada Abara<')
  const made = await (await post('/forms/f/links', [['person', 'm']])).text()
  expect(made).toMatch(new RegExp(`https://data.test/o/${id}/forms/f/[0-9a-f]{64}<`))
  expect(made).toContain('Ada Abara')
  expect(made).not.toContain('(m)')
  const none = await post('/forms/f/links', [['withoutPerson', '0']])
  expect([none.status, await none.text()]).toEqual([
    400,
    expect.stringContaining('Ask for 1 to 250 links.'),
  ])
})

test('links for many people read their names at once', async () => {
  const { put, post } = await withForm()
  const ids = ['m-1', 'm-2', 'm-3', 'm-4']
  await put(
    'members',
    ids.map((id) => ({ id, document: { memberId: id, Name: `Person ${id}` } })),
  )
  const countReads = async (people: readonly string[]) => {
    const prepare = vi.spyOn(env.DB, 'prepare')
    const response = await post(
      '/forms/f/links',
      people.map((id) => ['person', id] as const),
    )
    const statements = prepare.mock.calls.map(([sql]) => sql)
    prepare.mockRestore()
    const page = await response.text()
    for (const id of people) expect(page).toContain(`>Person ${id}<`)
    return statements.filter((sql) => /^\s*SELECT/i.test(sql)).length
  }
  await countReads(['m-1'])
  expect(await countReads(ids)).toBe(await countReads(['m-1']))
})

/** An editor with a form, volunteers with tags and addresses, and one who has answered. No message of another organisation waits. */
async function withVolunteers() {
  await env.DB.prepare('DELETE FROM mailings').run()
  const sent: MailMessage[] = []
  const mail = { send: async (message: MailMessage) => void sent.push(message) }
  const bindings = { ...env, MAIL_FROM: 'oak@charity.test', MAIL: toBinding(mail) }
  const editor = await withForm({ formFor: 'Volunteers' }, bindings)
  const field = (id: string, type: string, order: number) => ({
    ...{ id, name: id, label: id, type, order },
    ...(type === 'multipleSelect' && {
      options: ['Carer', 'Friend'].map((value) => ({ value, label: value })),
    }),
  })
  await editor.schema('volunteers', [
    field('Full Name', 'text', 0),
    field('Tags', 'multipleSelect', 1),
    field('Email', 'email', 2),
    field('Parent Email', 'email', 3),
    field('Date of Birth', 'date', 4),
  ])
  const born = (age: number) => `${new Date().getUTCFullYear() - age}-01-01`
  const people: [id: string, values: object][] = [
    ['adult', { Email: 'adult@oak.example', 'Parent Email': 'mum@oak.example' }],
    ['child', { Email: 'child@oak.example', 'Parent Email': 'mum@oak.example' }],
    ['nobody', { 'Parent Email': 'mum@oak.example' }],
    ['unborn', { 'Parent Email': 'dad@oak.example', 'Date of Birth': null }],
    ['done', { Email: 'done@oak.example' }],
    ['friend', { Tags: ['Friend'], Email: 'friend@oak.example' }],
  ]
  await editor.put(
    'volunteers',
    people.map(([id, values]) => ({
      id,
      document: {
        ...{ volunteerId: id, 'Full Name': `Person ${id}`, Tags: ['Carer'] },
        'Date of Birth': born(id === 'child' ? 8 : 40),
        ...values,
      },
    })),
  )
  const linkedEntities = { memberIds: [], volunteerIds: ['done'], partnerIds: [] }
  const response = { responseId: 'r', surveyId: 'f', linkedEntities, responses: [] }
  await editor.put('survey-responses', [{ id: 'r', document: response }])
  return { ...editor, bindings, sent }
}

test('links are made for everybody with a tag, with the addresses of adults and of the contacts of children', async () => {
  const { page, post, visit, id } = await withVolunteers()
  const choice = await page(`/links?who=${encodeURIComponent('tag Carer')}`)
  expect(choice).toContain('<option value="tag Friend">Friend</option>')
  const words = choice.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  expect(words).toContain('3 have an e-mail address')
  expect(words).toContain('1 has no e-mail address')
  expect(words).toContain('1 left out: they have answered')
  expect(words).toContain('Download 4 links with addresses')
  const file = await post('/forms/f/links/file', [['who', 'tag Carer']])
  expect(file.headers.get('Content-Disposition')).toContain('-links-f-')
  const [head, ...rows] = (await file.text()).trim().split('\r\n')
  expect(head).toBe('Name,Id,E-mail,Link,Works until (UK time)')
  expect(rows.map((row) => row.split(',').slice(0, 3))).toEqual([
    ['Person adult', 'adult', 'adult@oak.example'],
    ['Person child', 'child', 'mum@oak.example'],
    ['Person nobody', 'nobody', ''],
    ['Person unborn', 'unborn', 'dad@oak.example'],
  ])
  const addresses = rows.map((row) => row.split(',')[3] ?? '')
  expect(new Set(addresses).size).toBe(4)
  for (const address of addresses)
    expect(address).toMatch(new RegExp(`^https://data.test/o/${id}/forms/f/[0-9a-f]{64}$`))
  const values = { page: 'records/volunteers', query: 'Tags=Friend', name: 'Friends' }
  await visit('/views', { method: 'POST', body: new URLSearchParams(values) })
  const [, view = ''] = /<option value="(view [^"]*)">Friends</.exec(await page('/links')) ?? []
  const ofView = await (await post('/forms/f/links/file', [['who', view]])).text()
  expect(ofView.match(/@/g)).toHaveLength(1)
  expect(ofView).toContain('friend@oak.example')
})

test.each([
  ['', 'Choose a tag or a saved view.'],
  ['view unknown', 'There is no saved view'],
])('links for the unknown people %j are refused', async (who, message) => {
  const { post } = await withVolunteers()
  const refused = await post('/forms/f/links/file', [['who', who]])
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(await refused.text()).toContain(message)
})

test('links are sent to each address once, one for each of its people, and a week later one reminder to who has not answered', async () => {
  const { page, post, put, bindings, sent, id } = await withVolunteers()
  const choice = await page(`/links?who=${encodeURIComponent('tag Carer')}`)
  expect(choice).toMatch(/Preview the message<.*It goes to 3 addresses\./s)
  await put('volunteers', [
    {
      id: 'sister',
      document: { volunteerId: 'sister', Tags: ['Carer'], 'Parent Email': 'Mum@oak.example' },
    },
  ])
  const preview = (who: string) => post('/forms/f/links/mail', [['who', who]])
  const shown = unescaped(await (await preview('tag Carer')).text())
  expect(shown).toMatch(/asks for your answers to.*Stop such messages/s)
  const fields = [...(await readForm(await preview('tag Carer')))]
  expect(sent).toEqual([])
  for (let times = 0; times < 2; times++) {
    const answer = await post('/forms/f/links/mail', fields)
    expect(answer.headers.get('Location')).toContain('/forms/f/links')
  }
  expect(await page('/links')).toContain('The links are on their way to 3 addresses.')
  const linkedEntities = { memberIds: [], volunteerIds: ['adult'], partnerIds: [] }
  const date = '2026-06-06T10:00:00.000Z'
  const response = { responseId: 'late', surveyId: 'f', date, linkedEntities, responses: [] }
  await put('survey-responses', [{ id: 'late', document: response }])
  await sendDueMessages(bindings, Date.now())
  expect(sent.map(({ to }) => to).toSorted()).toEqual(['dad@oak.example', 'mum@oak.example'])
  const [text = ''] = sent.flatMap(({ to, text }) => (to === 'mum@oak.example' ? [text] : []))
  expect(text).toContain('For Person child:')
  const links = text.match(new RegExp(`https://data.test/o/${id}/forms/f/[0-9a-f]{64}`, 'g'))
  expect(links).toHaveLength(2)
  expect(text).toContain('/unsubscribe/')
  const [link = ''] = links ?? []
  const { pathname } = new URL(link)
  expect((await app.request(`https://data.test${pathname}`, {}, bindings)).status).toBe(200)
  const { results } = await env.DB.prepare(
    'SELECT kind, person_id FROM form_links WHERE organisation_id = ? ORDER BY person_id',
  )
    .bind(id)
    .all()
  expect(results).toEqual(
    ['child', 'sister', 'unborn'].map((person) => ({ kind: 'volunteers', person_id: person })),
  )
  expect(await page('/links')).toMatch(/Personal links.*2 sent, 1 left out/s)
  linkedEntities.volunteerIds = ['sister']
  await put('survey-responses', [{ id: 'sister', document: { ...response, responseId: 'sister' } }])
  expect((await page('/results')).replaceAll(/<[^>]*>/g, '')).toContain(
    '33% of the 3 people with a personal link have answered.',
  )

  const reminder = `reminder ${Object.fromEntries(fields).id}`
  const [, unsubscribe = ''] =
    /https:\/\/data.test(\S+\/unsubscribe\/\w+)/.exec(
      sent.find(({ to }) => to === 'dad@oak.example')?.text ?? '',
    ) ?? []
  expect(await page('/links')).not.toContain('Send a reminder')
  expect((await preview(reminder)).status).toBe(409)
  await env.DB.prepare(
    "UPDATE mailings SET created = strftime('%FT%TZ', created, '-7 days') WHERE organisation_id = ?",
  )
    .bind(id)
    .run()
  expect(await page('/links')).toContain('Send a reminder')
  const origin = 'https://data.test'
  const init = { method: 'POST', headers: { Origin: origin } }
  expect((await app.request(origin + unsubscribe, init, bindings)).status).toBe(200)
  sent.length = 0
  await post('/forms/f/links/mail', [...(await readForm(await preview(reminder)))])
  await sendDueMessages(bindings, Date.now())
  expect(sent).toMatchObject([
    { to: 'mum@oak.example', subject: expect.stringMatching(/^Reminder: /) },
  ])
  expect(sent[0]?.text.match(/\/forms\/f\/[0-9a-f]{64}/g)).toHaveLength(1)
  expect(await page('/links')).not.toContain('Send a reminder')
  expect(await (await preview(reminder)).text()).toContain('got a reminder already')
})

test('without mail, links can only be downloaded', async () => {
  const { id, put, post } = await newSignedIn('editor')
  await put('forms', [{ id: 'f', document: newForm({ managedBy: id }) }])
  const refused = await post('/forms/f/links/mail', [['who', 'tag Carer']])
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining('Mail is not set up'),
  ])
})

test('a reader sees a form and cannot change it', async () => {
  const { id, put, visit, post } = await newSignedIn('reader')
  await put('forms', [{ id: 'f', document: newForm({ managedBy: id }) }])
  const page = await visit('/forms/f')
  expect([page.status, await page.text()]).toEqual([200, expect.not.stringContaining('Remove')])
  for (const path of ['/new', '/f/settings', '/f/question', '/f/section', '/f/links'])
    expect([path, (await visit(`/forms${path}`)).status]).toEqual([path, 403])
  expect((await post('/forms/f/change', [['action', 'remove q']])).status).toBe(403)
})
