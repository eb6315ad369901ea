import { afterAll, beforeAll, expect, test } from 'vitest'
import { isObject } from '../../src/model/json.ts'
import { texts } from '../../src/texts/texts.ts'
import { readForm } from '../dashboard/signed-in.ts'
import { newForm, newQuestion } from '../sign-up/forms/forms.ts'
import { newSite } from './site.ts'

/** Marks the texts with a sign that no page has, so that a translation misses any other text. */
const mark = '¤'
const original = { ...texts }

beforeAll(() => {
  const { language, ...marked } = original
  Object.assign(texts, markTexts(marked), { language })
})

afterAll(() => {
  Object.assign(texts, original)
})

function markTexts(value: unknown): unknown {
  if (typeof value === 'string') return mark + value
  if (typeof value === 'function') return (...input: unknown[]) => markTexts(value(...input))
  if (Array.isArray(value)) return value.map(markTexts)
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, markTexts(item)]))
}

/** The names of the organisation and its fields; its other texts are in capitals here. */
const ownNames = /Organisation \d+|Full name|Date of birth/

/** The texts of a page that have no mark and are not the organisation's. */
function unmarkedTexts(html: string): string[] {
  const [, title = ''] = /<title>([^<]*)</.exec(html) ?? []
  // Programs read JSON-LD, and its words are names of schema.org.
  const body = html
    .slice(html.indexOf('<body>'))
    .replaceAll(/<script type="application\/ld\+json">.*?<\/script>/gs, '')
  const found = [...body.matchAll(/>([^<>]+)<|(?:aria-label|alt|placeholder)="([^"]+)"/g)]
  return [title, ...found.map(([, text, attribute]) => (text ?? attribute ?? '').trim())].filter(
    (text) => /[a-z]/.test(text.replace(ownNames, '')) && !text.includes(mark),
  )
}

const signUpFields = [
  { id: 'Full Name', required: true },
  { id: 'Born', required: false },
]

const event = {
  eventId: 'first',
  name: 'FAIR',
  tags: ['TAG'],
  venue: { name: 'HALL' },
  bookingDetails: {
    bookable: true,
    capacityTotal: 2,
    price: 2,
    bookVolunteers: true,
    description: 'JOIN IN',
    contactEmail: 'X@Y.TEST',
  },
}

/** A site with its own texts in capitals. */
async function newSiteInCapitals() {
  const site = await newSite({ signUpFields, consentText: 'I AGREE', contactPhone: '01' })
  await site.putEvents(event)
  const send = async (path: string, values: Record<string, string>, bindings?: object) =>
    (await site.send(path, { started: '0', token: 'a'.repeat(40), ...values }, bindings)).text()
  return { ...site, send }
}

const person = {
  name: 'ADA',
  email: 'A@B.TEST',
  people: '1',
  role: 'participant',
  consent: 'yes',
  'attendees.0.fields.Full Name': 'ADA',
}

test('a sign-up and its booking show no text from outside the texts', async () => {
  const { html, send } = await newSiteInCapitals()
  const done = await send('/events/first', { ...person, step: 'send' })
  const [path = ''] = /\/bookings\/\w{64}/.exec(done) ?? []
  const pages = [
    await html(),
    await html('/events/first'),
    await html('/events/unknown'),
    await html('/bookings/unknown'),
    await send('/events/first', { ...person, step: 'add' }),
    await send('/events/first', { step: 'check', people: '2', email: 'no address' }),
    await send('/events/first', { ...person, step: 'check', role: 'volunteer' }),
    done,
    await html(path),
    await html(`${path}/change`),
    await send(`${path}/change`, { 'attendees.0.fields.Born.day': '31' }),
    await html(`${path}/cancel`),
  ]
  for (const page of pages) expect(unmarkedTexts(page)).toEqual([])
  await send(`${path}/cancel`, {})
  expect(unmarkedTexts(await html(path))).toEqual([])
})

test('a letter has no text from outside the texts', async () => {
  const { send } = await newSiteInCapitals()
  const messages: { subject: string; text: string }[] = []
  const MAIL = {
    send: async (message: { subject: string; text: string }) => void messages.push(message),
  }
  await send(
    '/events/first',
    { ...person, step: 'send' },
    { MAIL, MAIL_FROM: 'events@charity.test' },
  )
  const [message] = messages
  const lines = message?.text.split('\n') ?? []
  expect(message?.subject).toContain(mark)
  expect(
    lines.filter((line) => /^(?!https:|Organisation).*[a-z]/.test(line) && !line.includes(mark)),
  ).toEqual([])
})

test('a form shows no text from outside the texts', async () => {
  const site = await newSiteInCapitals()
  const types = ['date', 'number', 'Ranking', 'Tag', 'Video Link', 'Table', 'textarea', 'Checkbox']
  const options = [{ label: 'ONE', value: 1 }]
  const withOptions = ['Ranking', 'Table']
  const questions = types.map((type, order) =>
    newQuestion({
      questionId: `${order}`,
      title: 'ASK',
      type,
      order,
      required: true,
      options: withOptions.includes(type) ? options : [],
      validation: { minAllowed: 1, maxAllowed: 3, wordCount: 5 },
    }),
  )
  const form = newForm({
    managedBy: site.id,
    name: 'FORM',
    deadline: '2096-12-15T14:00:00.000Z',
    questions,
    settings: { isAnonymous: true, coverPage: true },
  })
  await site.put('forms', [{ id: 'f', document: form }])
  const cover = await site.visit('/forms/f')
  const sent = await readForm(cover.clone())
  sent.set('go', 'next')
  const first = await site.visit('/forms/f', { method: 'POST', body: sent })
  const filled = await readForm(first.clone())
  filled.set('go', 'next')
  const errors = await site.visit('/forms/f', { method: 'POST', body: filled })
  for (const page of [cover, first, errors]) expect(unmarkedTexts(await page.text())).toEqual([])
})
