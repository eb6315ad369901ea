import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { app } from '../../src/app.ts'
import { newSignedIn } from './signed-in.ts'

const path = '/settings/public-pages'

async function newAdministrator() {
  const signedIn = await newSignedIn()
  await signedIn.schema('members', [
    { id: 'Full Name', name: 'Full Name', label: 'Full name', type: 'text', order: 0 },
    { id: 'Born', name: 'Born', label: 'Date of birth', type: 'date', order: 1 },
  ])
  const visitSite = async () => app.request(`https://data.test/o/${signedIn.id}`, {}, env)
  return { ...signedIn, visitSite }
}

const valid = {
  enabled: 'on',
  'field-0': 'required',
  'field-1': 'optional',
  ...{
    privacyNotice: 'https://charity.test/privacy',
    colour: '#5b2a6e',
    contactPhone: '0113 4960',
  },
}

test('an administrator switches the public pages on, with a look, and off again', async () => {
  const { id, submit, html, visitSite } = await newAdministrator()
  expect((await visitSite()).status).toBe(404)
  expect((await submit(path, valid)).status).toBe(303)
  const page = await html(path)
  expect(page).toContain('https://charity.test/privacy')
  const site = await visitSite()
  expect(site.status).toBe(200)
  expect(await site.text()).toContain('/colours/5b2a6e.css')
  const dataset = `https://data.test/o/${id}/openactive`
  expect((await app.request(dataset, {}, env)).status).toBe(404)
  await submit(path, { ...valid, publishesSessions: 'on' })
  expect(await html(path)).toMatch(/name="publishesSessions"[^>]* checked/)
  expect((await app.request(dataset, {}, env)).status).toBe(200)
  await submit(path, { ...valid, publishesSessions: '' })
  expect((await app.request(dataset, {}, env)).status).toBe(404)
  await submit(path, { enabled: '' })
  expect((await visitSite()).status).toBe(404)
})

test('the form keeps the usual colour of pages without their own', async () => {
  const { submit, html, visitSite } = await newAdministrator()
  const { colour: _, ...others } = valid
  expect(await html(path)).toContain('type="color" value="#0b6158"')
  expect((await submit(path, others)).status).toBe(303)
  expect(await (await visitSite()).text()).not.toContain('/colours/')
  await submit(path, valid)
  await submit(path, { colour: '#0b6158' })
  expect(await (await visitSite()).text()).not.toContain('/colours/')
})

test('settings with errors are not saved, and stay in the form', async () => {
  const { submit, visitSite } = await newAdministrator()
  const answer = await submit(path, {
    ...{ ...valid, privacyNotice: 'http://charity.test', 'field-0': '', offerHours: '0' },
    frameAncestors: 'https://charity.test/page',
  })
  expect(answer.status).toBe(400)
  const page = await answer.text()
  for (const text of [
    'Nothing was saved.',
    'value="http://charity.test"',
    'must be an address that begins with https://.',
    'must be an origin, such as https://example.org.',
    'must be at least 1.',
  ])
    expect(page).toContain(text)
  expect((await visitSite()).status).toBe(404)
})

test('a logo is a small PNG, shown on the pages until it is removed', async () => {
  const { submit, visit, id } = await newAdministrator()
  await submit(path, valid)
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
  const send = (logo: Uint8Array<ArrayBuffer>, removeLogo = '') => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...valid, removeLogo })) body.set(name, value)
    body.set('logo', new File([logo], 'logo.png'))
    return visit(path, { method: 'POST', body })
  }
  const read = () => app.request(`https://data.test/o/${id}/logo.png`, {}, env)
  expect((await send(new Uint8Array([0x3c, 0x73]))).status).toBe(400)
  expect((await read()).status).toBe(404)
  expect((await send(png)).status).toBe(303)
  const logo = await read()
  expect(logo.headers.get('Content-Type')).toBe('image/png')
  expect(new Uint8Array(await logo.arrayBuffer())).toEqual(png)
  expect((await send(new Uint8Array(), 'yes')).status).toBe(303)
  expect((await read()).status).toBe(404)
})

test('editors do not change the public pages', async () => {
  const { visit } = await newSignedIn('editor')
  expect((await visit(path)).status).toBe(403)
})

test('the questions of an event are added, corrected and removed, with their answers', async () => {
  const { id, put, visit, html, submit } = await newAdministrator()
  await put('events', [{ id: 'first', document: { eventId: 'first', name: 'Lunch' } }])
  const question = { label: 'Diet', purpose: 'To cook for you.', deleteAfter: '2096-12-20' }
  const values = (index: number, question: object) =>
    Object.fromEntries(Object.entries(question).map(([name, value]) => [`${index}.${name}`, value]))
  const questions = '/events/first/questions'
  const refused = await submit(questions, values(0, { ...question, purpose: '' }))
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('must not be empty.'),
  ])
  await submit(questions, values(0, question))
  await submit(questions, values(1, { ...question, label: 'Access needs' }))
  expect(await html('/events/first')).toContain(questions)
  const page = await html(questions)
  expect(page).toContain('value="Diet"')
  expect(page).toContain('value="Access needs"')
  const [first = '', second = ''] = [...page.matchAll(/name="\d\.id" value="([\w-]+)"/g)].map(
    ([, id = '']) => id,
  )
  const signUp = { diet: 'Vegan', access: 'Ramp' }
  await env.DB.prepare(
    `INSERT INTO sign_ups (organisation_id, booking_id, event_id, person_hash, contact, answers,
      question_answers, delete_after) VALUES (?, 'b', 'first', 'hash', '{}', '{}', ?, '2097-01-20')`,
  )
    .bind(id, JSON.stringify({ [first]: signUp.diet, [second]: signUp.access }))
    .run()
  await submit(questions, values(0, { label: '' }))
  const stored = await env.DB.prepare(
    'SELECT question_answers AS answers, delete_after FROM sign_ups WHERE organisation_id = ?',
  )
    .bind(id)
    .first<{ answers: string; delete_after: string }>()
  expect(stored).toEqual({
    answers: JSON.stringify({ [second]: 'Ramp' }),
    delete_after: '2096-12-20',
  })
  expect((await visit('/events/other/questions')).status).toBe(404)
})
