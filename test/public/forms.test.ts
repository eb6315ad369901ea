import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import type { Question } from '../../src/model/forms/survey-form.ts'
import { createFormLinks } from '../../src/sign-up/forms/form-links.ts'
import { readForm, unescaped } from '../dashboard/signed-in.ts'
import { loggedLines } from '../logs/watch.ts'
import { newForm, newQuestion } from '../sign-up/forms/forms.ts'
import { newSite } from './site.ts'

const scale = [1, 2, 3].map((value) => ({ label: `Level ${value}`, value }))

/** A site with a form `f`, and a function that answers its pages from the first. */
async function withForm(form: object, { waitedMs = 10_000, isPersonal = false } = {}) {
  const site = await newSite()
  await site.put('forms', [{ id: 'f', document: newForm({ managedBy: site.id, ...form }) }])
  const request = { people: {}, withoutPerson: 1 }
  const [link] = isPersonal
    ? await createFormLinks(operatorStore(env.DB, site.id), 'f', request)
    : []
  const path = link ? `/forms/f/${link.secret}` : '/forms/f'
  let page = await site.visit(path)
  let text = unescaped(await page.clone().text())
  /** Presses a button of the current page after filling its controls. */
  async function press(
    go: string,
    values: Record<string, string | string[]> = {},
    bindings: object = {},
  ) {
    const form = await readForm(page)
    for (const [name, value] of Object.entries(values)) {
      form.delete(name)
      for (const text of [value].flat()) form.append(name, text)
    }
    form.set('go', go)
    // Nobody waits in a test.
    form.set('started', (Date.now() - waitedMs).toString(36))
    return open({ method: 'POST', body: form }, bindings)
  }
  async function open(init: RequestInit = {}, bindings: object = {}) {
    page = await site.visit(path, init, bindings)
    text = unescaped(await page.clone().text())
    return { status: page.status, text }
  }
  const stored = async () =>
    (
      await site.json<{ surveyResponses: { responses: { response: unknown }[] }[] }>(
        '/survey-responses',
      )
    ).surveyResponses
  return { ...site, open, press, stored, text: () => text }
}

/** Returns the questions of a page. */
const titlesIn = (text: string) =>
  [...text.matchAll(/<(?:label for|legend)[^>]*>([^<]+)</g)].map(([, title]) => title)

const section = (title: string) => ({ title, description: `About ${title}`, id: title })

const sections = {
  name: 'Feedback',
  sections: [section('You'), section('Us')],
  questions: [
    newQuestion({ questionId: 'a.b', title: 'Your name', required: true }),
    newQuestion({
      questionId: 'a',
      title: 'Your mood',
      section: 1,
      type: 'Likert Scale',
      options: scale,
    }),
    newQuestion({ questionId: 'c', title: 'Your day', section: 1, order: 1, type: 'date' }),
  ],
  settings: { coverPage: true, afterSubmitMessage: 'See you soon.' },
}

test('a form is answered page by page, with a cover, a check and a message', async () => {
  const { press, stored, text } = await withForm(sections)
  expect(text()).toContain('<h1>Feedback</h1>')
  expect(titlesIn((await press('next')).text)).toEqual(['1. Your name'])
  const missing = await press('next', { 'q.a%2Eb': ' ' })
  expect(missing.status).toBe(400)
  expect(missing.text).toContain('<a href="#field-q_2e_a_25_2Eb">“Your name” needs an answer.</a>')
  expect(titlesIn((await press('next', { 'q.a%2Eb': 'Ada & <Bo>' })).text)).toEqual([
    '2. Your mood (optional)',
    '3. Your day (optional)',
  ])
  const back = await press('back', { 'q.a': '2' })
  expect(back.text).toContain('value="Ada & <Bo>"')
  await press('next')
  const check = await press('next', { 'q.c.day': '7', 'q.c.month': '3', 'q.c.year': '2026' })
  expect(check.text).toContain('<h1>Check your answers</h1>')
  for (const answer of ['Ada & <Bo>', 'Level 2', 'Saturday 7 March 2026'])
    expect(check.text).toContain(answer)
  await press('change 1')
  expect((await press('next', { 'q.a': '3' })).text).toContain('Level 3')
  expect(await stored()).toEqual([])
  expect((await press('send')).text).toContain('See you soon.')
  const [{ responses = [] } = {}] = await stored()
  expect(responses.map(({ response }) => response)).toEqual(['Ada & <Bo>', 3, '2026-03-07'])
})

const yesOrNo = ['Yes', 'No'].map((value) => ({ label: value, value }))

const conditional = {
  questions: [
    newQuestion({
      ...{ questionId: 'came', title: 'Did you come?', type: 'Multiple Choice' },
      options: yesOrNo,
    }),
    newQuestion({
      ...{ questionId: 'why', title: 'Why not?', order: 1, required: true },
      hasConditions: true,
      $showIf: { questionId: 'came', answers: ['Yes'], isNot: true },
    }),
    newQuestion({ questionId: 'last', title: 'Anything else?', order: 2 }),
    newQuestion({
      ...{ questionId: 'then', title: 'And then?', order: 3, type: 'Multiple Choice' },
      options: yesOrNo,
      hasConditions: true,
      $showIf: { questionId: 'came', answers: ['Yes'], isNot: false },
    }),
  ],
}

test('a question with a condition is asked after the answers that it names', async () => {
  const { press, stored } = await withForm(conditional)
  const unanswered = await press('next')
  expect([unanswered.status, titlesIn(unanswered.text)]).toEqual([
    200,
    ['3. Anything else? (optional)'],
  ])
  expect(unanswered.text).toContain('Page 2 of 2')
  await press('back')
  expect(titlesIn((await press('next', { 'q.came': 'No' })).text)).toEqual([
    '2. Why not?',
    '3. Anything else? (optional)',
  ])
  const missing = await press('next')
  expect([missing.status, missing.text]).toEqual([
    400,
    expect.stringContaining('“Why not?” needs an answer.'),
  ])
  const check = await press('next', { 'q.why': 'No time' })
  expect(check.text).toContain('Check your answers')
  expect(check.text).not.toContain('And then?')
  // A changed answer hides one question, and asks another before the check.
  await press('change 0')
  const asked = await press('next', { 'q.came': 'Yes' })
  expect(titlesIn(asked.text)).toContain('4. And then? (optional)')
  expect(asked.text).not.toContain('Why not?')
  const changed = await press('next', { 'q.then': 'No' })
  expect(changed.text).toContain('Check your answers')
  expect(changed.text).not.toContain('<dd>No time</dd>')
  await press('send')
  const [{ responses = [] } = {}] = await stored()
  expect(responses.map(({ response }) => response)).toEqual(['Yes', 'No'])
})

test('a form that was not answered is not sent', async () => {
  const { press, stored } = await withForm(sections)
  const sent = await press('send')
  expect([sent.status, titlesIn(sent.text)]).toEqual([400, ['1. Your name']])
  expect(await stored()).toEqual([])
})

test('individual mode shows one question at a time, with the texts before it', async () => {
  const questions = [
    newQuestion({ questionId: 'h', title: 'Part one', type: 'Heading' }),
    newQuestion({ questionId: 'x', title: 'First', order: 1 }),
    newQuestion({ questionId: 'y', title: 'Second', order: 2 }),
  ]
  const settings = { individualMode: true, hideQuestionNumbers: true }
  const { text, press } = await withForm({ questions, settings })
  expect(text()).toContain('<h2>Part one</h2>')
  expect(titlesIn(text())).toEqual(['First (optional)'])
  expect(titlesIn((await press('next')).text)).toEqual(['Second (optional)'])
})

test.each<[string, Partial<Question>, Record<string, string | string[]>, unknown]>([
  ['Paragraph Text Input', {}, { 'q.q': 'Much' }, 'Much'],
  ['number', {}, { 'q.q': '4' }, 4],
  ['Multiple Choice', { options: scale }, { 'q.q': '2' }, 2],
  ['Dropdown', { options: scale }, { 'q.q': '1' }, 1],
  ['Dropdown with custom input', { options: scale }, { 'q.q': '', 'q.q.other': 'None' }, 'None'],
  ['Dropdown: Multiple choice', { options: scale }, { 'q.q': ['1', '3'] }, [1, 3]],
  ['Checkbox', {}, { 'q.q': 'true' }, true],
  ['Ranking', { options: scale }, { 'q.q.0': '2', 'q.q.1': '1', 'q.q.2': '3' }, [2, 1, 3]],
  ['Tag', {}, { 'q.q': 'a\nb' }, ['a', 'b']],
  [
    'Table',
    { options: scale },
    { 'q.q.0': 'x', 'q.q.4': 'y' },
    [
      { 1: 'x', 2: '', 3: '' },
      { 1: '', 2: 'y', 3: '' },
    ],
  ],
  ['Video Link', {}, { 'q.q': 'https://video.test/1' }, 'https://video.test/1'],
])('a page has the controls of %s', async (type, question, values, expected) => {
  const { press, stored } = await withForm({ questions: [newQuestion({ type, ...question })] })
  expect((await press('next', values)).text).toContain('Check your answers')
  await press('send')
  const [{ responses = [] } = {}] = await stored()
  expect(responses.map(({ response }) => response)).toEqual([expected])
})

test('the page of a used link says so, but the form that used it can be sent again', async () => {
  const questions = [newQuestion({ type: 'Short Answer' })]
  const { open, press, stored } = await withForm({ questions }, { isPersonal: true })
  const check = await press('next', { 'q.q': 'Long walks' })
  expect(check.text).toContain('Check your answers')
  const body = await readForm(new Response(check.text))
  body.set('started', (Date.now() - 10_000).toString(36))
  const sendAs = (go: string) => {
    body.set('go', go)
    return open({ method: 'POST', body })
  }
  for (let times = 0; times < 2; times++) expect((await sendAs('send')).status).toBe(200)
  const used = {
    status: 410,
    text: expect.stringContaining('You have answered this form already.'),
  }
  expect([await open(), await sendAs('back')]).toEqual([used, used])
  expect(await stored()).toHaveLength(1)
})

test('answers are saved with a personal link, and continued later', async () => {
  const { open, press, stored, id } = await withForm(sections, { isPersonal: true })
  await press('next')
  await press('next', { 'q.a%2Eb': 'Ada & <Bo>' })
  const saved = await press('save', { 'q.a': '2', 'q.c.day': '99' })
  expect([saved.status, saved.text]).toEqual([200, expect.stringContaining('not sent yet')])
  expect(await stored()).toEqual([])
  const drafts = async () =>
    (
      await env.DB.prepare('SELECT draft FROM form_links WHERE organisation_id = ?').bind(id).all()
    ).results.map(({ draft }) => draft)
  expect(await drafts()).toEqual([expect.stringContaining('Ada & <Bo>')])
  const again = await open()
  expect(titlesIn(again.text)).toContain('2. Your mood (optional)')
  expect(again.text).toContain('value="Ada & <Bo>"')
  expect(again.text).toMatch(/value="2" checked/)
  const invalid = await press('next')
  expect([invalid.status, invalid.text]).toEqual([400, expect.stringContaining('value="99"')])
  await press('next', { 'q.c.day': '7', 'q.c.month': '3', 'q.c.year': '2026' })
  expect((await press('send')).text).toContain('See you soon.')
  expect(await drafts()).toEqual([null])
  expect(await stored()).toHaveLength(1)
  const body = new URLSearchParams({ go: 'save', page: '0', 'q.a': '1' })
  expect((await open({ method: 'POST', body })).status).toBe(410)
})

test('answers are not saved without a personal link, nor if they are too long', async () => {
  const open = await withForm(sections)
  expect(open.text()).not.toContain('value="save"')
  await open.press('next')
  expect((await open.press('save')).status).toBe(404)
  const personal = await withForm(sections, { isPersonal: true })
  await personal.press('next')
  expect((await personal.press('save', { 'q.a%2Eb': 'x'.repeat(100_000) })).status).toBe(413)
})

test('a form that is closed, used or unknown says so on a page, without its content', async () => {
  const settings = { contactEmail: 'hello@charity.test', contactPhone: '0113 496 0000' }
  const { visit, id, put } = await newSite(settings)
  const form = { managedBy: id, name: 'Feedback', description: 'Secret' }
  const closed = newForm({ ...form, formId: 'f', deadline: '2026-01-01' })
  const personal = newForm({ ...form, formId: 'g', addPersonPublic: false })
  await put('forms', [
    { id: 'f', document: closed },
    { id: 'g', document: personal },
  ])
  const expired = (
    await createFormLinks(operatorStore(env.DB, id), 'g', { people: {}, withoutPerson: 1 })
  )[0]?.secret
  await env.DB.prepare('UPDATE form_links SET expires = ? WHERE organisation_id = ?')
    .bind('2026-01-01T00:00:00.000Z', id)
    .run()
  for (const [path, status, title, isNamed] of [
    ['/forms/f', 410, 'This form is closed', true],
    ['/forms/g', 404, 'There is no form here', false],
    ['/forms/unknown', 404, 'There is no form here', false],
    [`/forms/f/${'a'.repeat(64)}`, 404, 'This link does not work', false],
    [`/forms/g/${expired}`, 410, 'This link has expired', true],
  ] as const) {
    const page = await visit(path)
    const html = await page.text()
    expect([path, page.status]).toEqual([path, status])
    expect(html).toContain(`<h1>${title}</h1>`)
    expect([path, html.includes('Feedback')]).toEqual([path, isNamed])
    expect(html).toContain('<li><a href="mailto:hello@charity.test">')
    expect(html).not.toContain('Secret')
  }
})

test('a form that is sent at once or too often is refused, and keeps the answers', async () => {
  const robot = await withForm({}, { waitedMs: 0 })
  const before = loggedLines().length
  expect(await robot.press('send')).toMatchObject({
    status: 400,
    text: expect.stringContaining('very quickly'),
  })
  expect(loggedLines().slice(before).map(String)).toEqual([expect.stringContaining('"status":400')])
  expect(await robot.stored()).toEqual([])
  const questions = [newQuestion({ type: 'Short Answer' })]
  const { press, stored } = await withForm({ questions })
  await press('next', { 'q.q': 'Long walks' })
  const LIMIT_FORMS_BY_TARGET: RateLimit = { limit: async () => ({ success: false }) }
  const { status, text } = await press('send', {}, { LIMIT_FORMS_BY_TARGET })
  expect([status, text]).toEqual([429, expect.stringContaining('Your answers were not sent')])
  expect(text).toContain('<dd>Long walks</dd>')
  expect(await stored()).toEqual([])
  expect((await press('send')).text).toContain('Answers sent')
  const [{ responses = [] } = {}] = await stored()
  expect(responses.map(({ response }) => response)).toEqual(['Long walks'])
})
