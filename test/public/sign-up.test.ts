import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { deleteOldDrafts } from '../../src/store/sign-up/sign-up-drafts.ts'
import { loggedLines } from '../logs/watch.ts'
import { newSite } from './site.ts'

const attendee = (person: number, name: string, day = '4', month = '2', year = '2018') => ({
  [`attendees.${person}.fields.Full Name`]: name,
  [`attendees.${person}.fields.Born.day`]: day,
  [`attendees.${person}.fields.Born.month`]: month,
  [`attendees.${person}.fields.Born.year`]: year,
})

const signUpFields = [
  { id: 'Full Name', required: true },
  { id: 'Born', required: false },
  { id: 'demo.gender', required: false },
]

const contact = { name: 'Rukhsana Aldermere', email: 'r.aldermere@example.org' }

/** The hidden values of a form that was shown ten seconds ago. */
const shownBefore = () => ({
  token: crypto.randomUUID(),
  started: (Date.now() - 10_000).toString(36),
})

async function newEventSite(settings: object = {}, event: object = {}) {
  const site = await newSite({ signUpFields, ...settings })
  await site.putEvents({ eventId: 'first', ...event })
  /** Sends the form of the event and returns the page. */
  const step = async (step: string, values: Record<string, string>, bindings?: object) => {
    const answer = await site.send('/events/first', { ...shownBefore(), ...values, step }, bindings)
    return { status: answer.status, text: await answer.text() }
  }
  return { ...site, step }
}

test('a parent adds, removes and checks children, and changes an answer', async () => {
  const { step } = await newEventSite()
  const one = { ...contact, people: '1', ...attendee(0, 'Idris Aldermere') }
  const two = await step('add', one)
  expect(two.text).toContain('Person 2')
  expect(two.text).toContain('value="Idris Aldermere"')
  const filled = { ...one, people: '2', ...attendee(1, 'Noor Aldermere', '5') }
  const removed = await step('remove 0', filled)
  expect(removed.text).toContain('value="Noor Aldermere"')
  expect(removed.text).not.toContain('Idris')
  const check = await step('check', { ...filled, 'attendees.1.fields.demo.gender': 'w' })
  for (const text of ['Noor Aldermere', 'Monday 5 February 2018', 'Woman', 'Sign up'])
    expect(check.text).toContain(text)
  expect((await step('change', filled)).text).toContain('value="Noor Aldermere"')
})

test('a family shares a surname, a postcode and a phone, and the contact is one tick', async () => {
  const ids = ['Full Name', 'Postcode', 'Mobile']
  const { step, json } = await newEventSite({
    signUpFields: ids.map((id) => ({ id, required: id === 'Full Name' })),
  })
  const shared = {
    'attendees.0.fields.Postcode': 'D02 AF30',
    'attendees.0.fields.Mobile': '+353 1 496 0100',
  }
  const one = { ...contact, ...shared, people: '1', coming: 'yes' }
  const two = (await step('add', one)).text
  for (const purpose of ['name', 'email']) expect(two).toContain(`autocomplete="${purpose}"`)
  expect(two).toContain('formaction="')
  expect(two).toMatch(/events\/first#person-3"/)
  expect(two).toContain('name="attendees.0.fields.Full Name" value="Rukhsana Aldermere"')
  expect(two).toMatch(/name="attendees.1.fields.Full Name"[^>]* value=" Aldermere"/)
  expect(two).toMatch(/name="attendees.1.fields.Postcode"[^>]* value="D02 AF30"/)
  expect(two).toContain('Postcode and Mobile: as for person 1.')
  expect(two).not.toContain('checked=""')
  const named = { ...one, coming: '', 'attendees.0.fields.Full Name': 'Idris', people: '2' }
  const onlySurname = await step('check', {
    ...named,
    'attendees.1.fields.Full Name': ' Aldermere',
  })
  expect(onlySurname.text).toContain('Person 2: Full name: enter an answer.')
  await step('send', { ...named, people: '1' })
  const check = await step('check', { ...named, people: '1', coming: 'yes' })
  expect(check.text).toMatch(/name="people" value="2"/)
  expect(check.text).toContain('name="attendees.1.fields.Full Name" value="Rukhsana Aldermere"')
  expect(check.text).toContain('name="attendees.1.fields.Postcode" value="D02 AF30"')
  expect(await json('/bookings')).toMatchObject({ bookings: [{ userName: 'Idris' }] })
})

test('each step has an address, which shows its values to this browser only', async () => {
  const { id, visit, putEvents } = await newEventSite()
  const header = (await visit('/events/first')).headers.get('Set-Cookie') ?? ''
  expect(header).toMatch(/^__Secure-sign-up=.*; HttpOnly; Secure; SameSite=Lax$/)
  const [cookie = ''] = header.split(';')
  const form = { ...contact, people: '1', ...attendee(0, 'Idris Aldermere'), ...shownBefore() }
  const post = async (step: string, headers: Record<string, string>, bindings?: object) => {
    const body = new URLSearchParams({ ...form, step })
    const answer = await visit('/events/first', { method: 'POST', body, headers }, bindings)
    const path = (answer.headers.get('Location') ?? '').replace(`/o/${id}`, '')
    return { status: answer.status, path, text: await answer.text() }
  }
  const open = async (path: string, headers: Record<string, string>) =>
    (await visit(path, { headers })).text()
  const own = { Cookie: cookie }
  const checked = await post('check', own)
  expect(checked).toMatchObject({ status: 303, path: expect.stringMatching(/^\/events\/first\?/) })
  expect(checked.path).not.toMatch(/Idris|example/)
  expect(await open(checked.path, own)).toContain('value="Idris Aldermere"')
  for (const Cookie of ['', `__Secure-sign-up=${'0'.repeat(64)}`])
    expect(await open(checked.path, { Cookie })).not.toContain('Idris')
  const limit: RateLimit = { limit: async () => ({ success: false }) }
  const refused = await post('send', own, { LIMIT_FORMS_BY_ADDRESS: limit })
  const page = await open(refused.path, own)
  for (const text of ['There were too many requests.', 'value="Idris Aldermere"'])
    expect(page).toContain(text)
  await putEvents({ eventId: 'first', bookable: false })
  const closed = await open((await post('send', own)).path, own)
  for (const text of ['takes no more bookings', 'value="Idris Aldermere"'])
    expect(closed).toContain(text)
  expect((await post('send', {})).status).toBe(404)
  await putEvents({ eventId: 'first' })
  const freeze = (table: string) => `CREATE TRIGGER "${table} of ${id}" BEFORE INSERT ON ${table}
    WHEN NEW.organisation_id = '${id}' BEGIN SELECT raise(ABORT, 'organisation_moving'); END`
  const tables = ['sign_up_requests', 'records']
  await env.DB.batch(tables.map((table) => env.DB.prepare(freeze(table))))
  for (const [step, status] of [
    ['check', 200],
    ['send', 503],
  ] as const) {
    const moving = await post(step, own)
    expect([moving.status, moving.text]).toEqual([status, expect.stringContaining('Idris')])
  }
  await env.DB.batch(tables.map((it) => env.DB.prepare(`DROP TRIGGER "${it} of ${id}"`)))
  const sent = await post('send', own)
  expect(await open(sent.path, own)).toContain('You are signed up')
  expect(await open(checked.path, own)).toContain('You are signed up')
  await deleteOldDrafts(env.DB, new Date(Date.now() + 3 * 3_600_000).toISOString())
  expect(await open(checked.path, own)).not.toContain('Idris')
})

test('the exit link forgets what a browser has entered and leads to a neutral page', async () => {
  const { id, visit, html } = await newEventSite({ hasExitLink: true })
  const page = await visit('/events/first')
  expect(page.headers.get('Cache-Control')).toContain('no-store')
  expect(page.headers.get('Content-Security-Policy')).toContain("script-src 'self';")
  for (const path of ['', '/events/first', '/forms/none'])
    expect(await html(path)).toContain(`href="/o/${id}/exit"`)
  const left = await visit('/exit')
  expect(left.status).toBe(303)
  expect(Object.fromEntries(left.headers)).toMatchObject({
    location: 'https://www.bbc.co.uk/weather',
    'referrer-policy': 'no-referrer',
    'set-cookie': `__Secure-sign-up=; Max-Age=0; Path=/o/${id}/events; Secure`,
  })
  expect(await (await newEventSite()).html('/events/first')).not.toContain('/exit')
})

test('every error is at the top and at its control, in the order of the page', async () => {
  const { step } = await newEventSite({ consentText: 'You may store my details.' })
  const { status, text } = await step('check', {
    name: '',
    email: 'no address',
    people: '2',
    ...attendee(0, 'Ada', '31', '2'),
  })
  expect(status).toBe(400)
  expect(text).toContain('<title>Error: Lantern Workshop')
  const [, summary = ''] = /There is a problem(.*?)<\/ul>/s.exec(text) ?? []
  const links = [...summary.matchAll(/href="#([^"]+)">([^<]+)</g)]
  expect(links.map(([, , message]) => message)).toEqual([
    'Your name: enter an answer.',
    'Your e-mail address must be one e-mail address.',
    'Person 1: Date of birth must be a real date, such as 27 3 2016.',
    'Person 2: Full name: enter an answer.',
    'Consent: enter an answer.',
  ])
  for (const [, id = ''] of links) {
    expect(id).toMatch(/^[\w-]+$/)
    expect(text).toContain(`id="${id}"`)
  }
  // Texts that belong to a control are named in a list with spaces between.
  const described = [...text.matchAll(/aria-describedby="([^"]+)"/g)]
  const ids = described.flatMap(([, list = '']) => list.split(' '))
  expect(ids.length).toBeGreaterThan(4)
  for (const id of ids) expect(text).toContain(`id="${id}"`)
  expect(text).toContain('value="no address"')
})

test('without mail, a sign-up shows a private link, the same when it is sent again', async () => {
  const { step, json, visit, send } = await newEventSite()
  const form = { ...contact, people: '1', ...attendee(0, 'Idris Aldermere'), ...shownBefore() }
  const { status, text } = await step('send', form)
  expect([status, text]).toEqual([200, expect.stringContaining('You are signed up')])
  expect((await step('send', form)).text).toBe(text)
  expect(await json('/bookings')).toMatchObject({
    bookings: [{ userName: 'Idris Aldermere', userStatus: 'confirmed', attending: true }],
  })
  const [, path = ''] = /href="\/o\/[^/]+(\/bookings\/\w{64})"/.exec(text) ?? []
  expect((await visit(path)).status).toBe(200)
  const embedded = await send('/events/first?embed=1', { ...form, step: 'send' })
  expect(await embedded.text()).toMatch(/\/bookings\/\w{64}" target="_blank"/)
})

test('the ids of an organisation’s event, field and person may have spaces', async () => {
  const site = await newSite({ signUpFields })
  const eventId = 'lunch & talk 1/2'
  await site.putEvents({ eventId, name: 'Lunch' })
  const path = `/events/${encodeURIComponent(eventId)}`
  expect(await site.html()).toContain(`${path}"`)
  const form = { ...contact, people: '1', ...attendee(0, 'Idris'), ...shownBefore() }
  const page = await site.html(path)
  expect(page).toContain(`action="/o/${site.id}${path}"`)
  const answer = await site.send(path, { ...form, step: 'send' })
  expect(await answer.text()).toContain('You are signed up')
  expect(await site.json('/bookings')).toMatchObject({ bookings: [{ eventId, userName: 'Idris' }] })
})

test('a full event has a waiting list', async () => {
  const { step, html } = await newEventSite(
    {},
    { bookingDetails: { bookable: true, capacityTotal: 1 } },
  )
  await step('send', { ...contact, people: '1', ...attendee(0, 'Idris') })
  expect(await html('/events/first')).toContain('All places are taken.')
  const other = { ...contact, people: '1', ...attendee(0, 'Noor') }
  expect((await step('check', other)).text).toContain('Join the waiting list')
  expect((await step('send', other)).text).toContain('You are on the waiting list')
})

test('a role that the event does not offer is refused in words, with a control to change it', async () => {
  const { step, putEvents } = await newEventSite()
  const form = { ...contact, people: '1', ...attendee(0, 'Idris') }
  const forged = await step('send', { ...form, role: 'volunteer' })
  expect(forged.text).toContain(
    '<a href="#field-role">How you take part cannot be as a volunteer: this event takes none.</a>',
  )
  expect(forged.text).toMatch(/id="field-role" name="role" value="participant"/)
  expect(forged.text).not.toContain('value="volunteer"')
  await putEvents({ eventId: 'first', bookingDetails: { bookable: true, bookVolunteers: true } })
  for (const role of ['', 'owner'])
    expect((await step('send', { ...form, role })).text).toContain(
      'How you take part: enter an answer.',
    )
  const helper = await step('send', { ...form, role: 'volunteer' })
  expect([helper.status, helper.text]).toEqual([200, expect.stringContaining('You are signed up')])
})

test('a name is one line without control characters', async () => {
  const { step, json } = await newEventSite()
  const form = { ...contact, people: '1', ...attendee(0, 'Id\u0000ris\r\n Al\u2028dermere') }
  await step('send', form)
  expect(await json('/bookings')).toMatchObject({ bookings: [{ userName: 'Id ris Al dermere' }] })
})

test.each([
  ['fills in what people do not see', { website: 'https://spam.test' }],
  ['is too fast', { started: (Date.now() + 60_000).toString(36) }],
  ['has no start', { started: '' }],
])('a robot that %s signs nobody up', async (_, values) => {
  const { step, json } = await newEventSite()
  const sent = { ...contact, people: '1', ...attendee(0, 'Idris'), ...shownBefore(), ...values }
  const before = loggedLines().length
  const { status, text } = await step('send', sent)
  expect([status, text]).toEqual([400, expect.stringContaining('Your sign-up was not saved')])
  expect(loggedLines().slice(before).map(String)).toEqual([expect.stringContaining('"status":400')])
  expect(await json('/bookings')).toMatchObject({ bookings: [] })
})

test('60 families of a school sign up from one address at once', async () => {
  const { visit, json, putEvents } = await newEventSite()
  await putEvents({ eventId: 'first', bookingDetails: { bookable: true, capacityTotal: null } })
  const headers = { 'CF-Connecting-IP': '192.0.2.60' }
  const statuses: number[] = []
  for (let family = 0; family < 60; family++) {
    const values = {
      ...shownBefore(),
      ...attendee(0, `Child ${family}`),
      name: `Parent ${family}`,
      email: `parent.${family}@example.org`,
      people: '1',
      step: 'send',
    }
    const body = new URLSearchParams(values)
    const { status } = await visit('/events/first', { method: 'POST', headers, body })
    statuses.push(status)
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  expect(await json('/bookings?limit=1')).toMatchObject({ total: 60 })
})

test('forms are limited by address and event', async () => {
  const { step } = await newEventSite()
  const keys: string[] = []
  const limit = (success: boolean): RateLimit => ({
    async limit({ key }) {
      keys.push(key)
      return { success }
    },
  })
  const form = { ...contact, people: '1', ...attendee(0, 'Idris Aldermere') }
  const refused = await step('send', form, { LIMIT_FORMS_BY_ADDRESS: limit(false) })
  expect(refused.status).toBe(429)
  expect(refused.text).toContain('<title>Error: Check your answers')
  expect(refused.text).toContain('Your sign-up was not saved')
  for (const [name, value] of Object.entries(form))
    expect(refused.text).toContain(`<input type="hidden" name="${name}" value="${value}"/>`)
  expect((await step('send', {}, { LIMIT_FORMS_BY_TARGET: limit(false) })).status).toBe(429)
  expect(keys).toEqual([
    expect.stringMatching(/ event first [\w-]+/),
    expect.stringMatching(/ event first$/),
  ])
})

test('Turnstile is asked where its keys are set', async () => {
  const { step } = await newEventSite()
  const keys = { TURNSTILE_SITE_KEY: 'site-key', TURNSTILE_SECRET_KEY: 'secret-key' }
  const form = { ...contact, people: '1', ...attendee(0, 'Idris') }
  const check = await step('check', form, keys)
  expect(check.text).toContain('data-sitekey="site-key"')
  expect(check.text).toContain('src="https://challenges.cloudflare.com/turnstile/v0/api.js"')
  const { fetch } = globalThis
  const results: boolean[] = []
  // Webhooks of earlier files may be delivered now.
  const fetches = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (!String(input).startsWith('https://challenges.cloudflare.com/')) return fetch(input, init)
    return Response.json({ success: results.pop() })
  })
  for (const success of [false, true]) {
    results.push(success)
    const sent = await step('send', { ...form, 'cf-turnstile-response': 'token' }, keys)
    expect(sent.status).toBe(success ? 200 : 400)
  }
  results.push(true)
  expect((await step('send', form, keys)).status).toBe(400)
  expect(results).toEqual([true])
  fetches.mockRestore()
})
