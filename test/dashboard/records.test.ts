import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import type { Field } from '../../src/model/properties/schema.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { newSignedIn } from './signed-in.ts'

const fields: Field[] = [
  { id: 'Full Name', name: 'Full Name', label: 'Full name', type: 'text', order: 0 },
  { id: 'Phone', name: 'Phone', label: 'Phone', type: 'phone', order: 1 },
  { id: 'Number', name: 'Number', label: 'Number', type: 'uniqueId', order: 2 },
  { id: 'Consent', name: 'Consent', label: 'Consent', type: 'boolean', order: 3 },
  { id: 'Age', name: 'Age', label: 'Age', type: 'number', order: 4 },
]

/** A person signed in to an organisation with two members, their bookings of an event, and a note. */
async function withTwoMembers(role?: Role) {
  const person = await newSignedIn(role)
  await putEverything(person)
  await putSchemas(env.DB, person.id, { members: { name: 'Member Schema', fields } })
  await person.put('members', [
    member('m-1', { 'Full Name': 'Amara Abara', Phone: '0113 496 0000', Age: 40 }),
    member('m-2', { 'Full Name': 'Amara Okafor', Number: 'LCT-2', Consent: false }),
  ])
  const { document: booking } = everything.bookings ?? {}
  const { document: note } = everything['case-notes'] ?? {}
  await person.put(
    'bookings',
    ['b-1', 'b-2'].map((id, place) => ({
      id,
      document: { ...booking, bookingId: id, managedBy: person.id, memberId: `m-${place + 1}` },
    })),
  )
  const linkedEntities = { memberIds: ['m-1', 'm-2'], partnerIds: [], volunteerIds: [] }
  await person.put('case-notes', [
    { id: 'n-1', document: { ...note, noteId: 'n-1', managedBy: person.id, linkedEntities } },
  ])
  const storedRecord = async (collection: string, id: string) => {
    const text = await env.DB.prepare(
      'SELECT document FROM records WHERE organisation_id = ? AND collection = ? AND id = ?',
    )
      .bind(person.id, collection, id)
      .first<string>('document')
    return text === null ? undefined : JSON.parse(text)
  }
  return { ...person, storedRecord }
}

const member = (id: string, values: object) => ({ id, document: { memberId: id, ...values } })

test('every collection has a table and every record a page', async () => {
  const person = await newSignedIn('reader')
  await putEverything(person)
  for (const [collection, { id }] of Object.entries(everything)) {
    for (const path of [`/records/${collection}`, `/records/${collection}/${id}`]) {
      const page = await person.visit(path)
      expect([path, page.status]).toEqual([path, 200])
      expect(await page.text()).toContain(path.endsWith(id) ? 'History' : id)
    }
  }
  await person.put('events', [{ id: 'unbooked', document: { eventId: 'unbooked', name: 'U' } }])
  const unbooked = await person.visit('/records/events/unbooked')
  expect(await unbooked.text()).toContain('<h1>U</h1>')
  for (const path of ['/records/nothing', '/records/events/nowhere', '/records/schemas']) {
    const page = await person.visit(path)
    expect([path, page.status]).toEqual([path, 404])
    expect(await page.text()).toContain('Page not found')
  }
})

test('an edit saves only the changed values', async () => {
  const { submit, storedRecord, visit } = await withTwoMembers()
  const recordBefore = await storedRecord('members', 'm-1')
  const answer = await submit('/records/members/m-1/edit', { Phone: '0113 496 0999', Age: '41' })
  expect(answer.status).toBe(303)
  expect(await storedRecord('members', 'm-1')).toEqual({
    ...recordBefore,
    Phone: '0113 496 0999',
    Age: 41,
  })
  const page = await (await visit('/records/members/m-1')).text()
  expect(page).toContain('Saved.')
  expect(await (await visit('/records/members/m-1')).text()).not.toContain('Saved.')
  await submit('/records/members/m-2/edit', { Consent: '' })
  expect(await storedRecord('members', 'm-2')).not.toHaveProperty('Consent')
})

test('saving an untouched form changes no record of any collection', async () => {
  const { submit, storedRecord, id: organisationId } = await withTwoMembers()
  expect(organisationId).toBeTruthy()
  for (const [collection, { id }] of Object.entries(everything)) {
    const recordBefore = await storedRecord(collection, id)
    const answer = await submit(`/records/${collection}/${id}/edit`, {})
    expect([collection, answer.status]).toEqual([collection, 303])
    expect(await storedRecord(collection, id)).toEqual(recordBefore)
  }
})

test('errors appear at their fields, and the form keeps the typed values', async () => {
  const { submit, storedRecord } = await withTwoMembers()
  for (const [field, value, message] of [
    ['Phone', '12', 'must have 6 to 20 digits.'],
    ['Age', 'forty', 'must be a number.'],
    ['Number', 'LCT-2', 'is already used by another member.'],
  ] as const) {
    const answer = await submit('/records/members/m-1/edit', { [field]: value })
    const page = await answer.text()
    expect([field, answer.status]).toEqual([field, 400])
    expect(page).toContain(`<a href="#field-${field}">${field} ${message}</a>`)
    expect(page).toMatch(new RegExp(`id="field-${field}-error">${field} ${message}`))
    expect(page).toContain(`value="${value}"`)
  }
  expect(await storedRecord('members', 'm-1')).toMatchObject({ Phone: '0113 496 0000', Age: 40 })
})

test('a concurrent change is shown rather than overwritten', async () => {
  const { submit, storedRecord, put } = await withTwoMembers()
  const theirs = member('m-1', { 'Full Name': 'Amara A.', Phone: '0113 496 0111', Age: 40 })
  const opened = await submit('/records/members/m-1/edit', { Phone: '0113 496 0999' }, () =>
    put('members', [theirs]),
  )
  expect(opened.status).toBe(412)
  const page = await opened.text()
  expect(page).toContain('Somebody else changed this record')
  expect(page).toContain('value="0113 496 0999"')
  expect(page).toContain('Phone was changed by somebody else to: 0113 496 0111')
  expect(page).toContain('value="Amara A."')
  expect((await storedRecord('members', 'm-1')).Phone).toBe('0113 496 0111')
})

test('the form of a structured record has its numbers and nullable texts, but nothing derived', async () => {
  const { html, submit, storedRecord, put, id: managedBy } = await withTwoMembers()
  await put('events', [{ id: 'e-1', document: { ...everything.events?.document, managedBy } }])
  const values = { 'bookingDetails.price': '7.50', parentEventId: 'e-0' }
  expect((await submit('/records/events/e-1/edit', values)).status).toBe(303)
  expect(await storedRecord('events', 'e-1')).toMatchObject({
    parentEventId: 'e-0',
    bookingDetails: { price: 7.5 },
  })
  const form = await html(`/records/forms/${everything.forms?.id}/edit`)
  expect(form).toContain('name="linkedFormId"')
  expect(form).not.toContain('name="questionCount"')
})

test('the delete page lists the records affected', async () => {
  const { html, submit, storedRecord } = await withTwoMembers()
  const { id = '' } = everything.events ?? {}
  const ofEvent = await html(`/records/events/${id}/delete`)
  expect(ofEvent).toMatch(/<h2>3 bookings deleted with it<\/h2><ul><li>Ada Obi, Lunch club/)
  expect(await html('/records/members/m-2/delete')).toContain(
    '<h2>1 booking kept, without the link to this member</h2>',
  )
  expect((await submit('/records/members/m-2/delete', { etag: '"1"' })).status).toBe(412)
  expect(await storedRecord('members', 'm-2')).toBeDefined()
  expect((await submit('/records/members/m-2/delete', {})).status).toBe(303)
  expect(await storedRecord('members', 'm-2')).toBeUndefined()
  expect(await storedRecord('bookings', 'b-2')).toMatchObject({ memberId: '' })
})

test('merging two people moves all references to the survivor', async () => {
  const { html, submit, storedRecord } = await withTwoMembers()
  expect(await html('/records/members/m-1/merge?q=Amara')).toContain('m-2')
  const page = '/records/members/m-1/merge?with=m-2'
  expect(await html(page)).toContain('1 booking')
  const stale = await submit(page, { $duplicate: '"1"' })
  expect(stale.status).toBe(412)
  const answer = await submit(page, { 'Full Name': 'duplicate' })
  expect(answer.status).toBe(303)
  expect(await storedRecord('members', 'm-1')).toMatchObject({
    'Full Name': 'Amara Okafor',
    Phone: '0113 496 0000',
    Number: 'LCT-2',
  })
  expect(await storedRecord('members', 'm-2')).toBeUndefined()
  expect(await storedRecord('bookings', 'b-2')).toMatchObject({ memberId: 'm-1' })
  const { linkedEntities } = await storedRecord('case-notes', 'n-1')
  expect(linkedEntities.memberIds).toEqual(['m-1'])
})

test('merging with an impossible id is rejected', async () => {
  const { visit, post, storedRecord } = await withTwoMembers()
  const page = '/records/members/m-1/merge'
  const empty = await visit(`${page}?with=`)
  expect([empty.status, await empty.text()]).toEqual([
    200,
    expect.stringContaining('with another person'),
  ])
  for (const id of ['.', '..', 'm-nowhere']) {
    expect([id, (await visit(`${page}?with=${id}`)).status]).toEqual([id, 404])
  }
  for (const id of ['', '..']) {
    expect([id, (await post(page, [['$with', id]])).status]).toEqual([id, 404])
  }
  expect(await storedRecord('members', 'm-1')).toBeDefined()
})

test('a reader sees no buttons that change records, and is refused', async () => {
  const { html, visit, storedRecord } = await withTwoMembers('reader')
  expect(await html('/records/members/m-1')).not.toMatch(/Edit|Delete|Merge/)
  for (const action of ['edit', 'delete', 'merge']) {
    const path = `/records/members/m-1/${action}`
    expect([action, (await visit(path)).status]).toEqual([action, 403])
    const posted = await visit(path, { method: 'POST', body: new URLSearchParams() })
    expect([action, posted.status]).toEqual([action, 403])
    expect(await posted.text()).toContain(
      'Your role allows you to read records but not to change them.',
    )
  }
  expect(await storedRecord('members', 'm-1')).toBeDefined()
})

test('an editor sees the buttons that change records, and may use them', async () => {
  const { html, submit, storedRecord } = await withTwoMembers('editor')
  expect(await html('/records/members/m-1')).toMatch(/Edit/)
  expect((await submit('/records/members/m-1/edit', { Age: '41' })).status).toBe(303)
  expect(await storedRecord('members', 'm-1')).toMatchObject({ Age: 41 })
})

test("another organisation's records do not exist", async () => {
  const { visit } = await newSignedIn()
  const otherOrganisation = await withTwoMembers()
  for (const path of ['', '/edit', '/delete', '/merge?with=m-2']) {
    const page = await visit(`/records/members/m-1${path}`)
    expect([path, page.status]).toEqual([path, 403])
    expect(await page.text()).not.toContain('Amara')
  }
  expect((await visit('/records/bookings/b-1')).status).toBe(404)
  expect(await (await visit('/records/search?q=amara')).text()).not.toContain('m-1')
  expect(await (await visit('/records/members?$orderby=Full+Name')).text()).not.toContain('Amara')
  const elsewhere = await visit(`/../${otherOrganisation.id}/records/members`)
  expect(elsewhere.status).toBe(404)
})

test('the form of a collection creates a record', async () => {
  const { submit, storedRecord } = await withTwoMembers()
  const created = await submit('/records/new/members', { 'Full Name': 'Zoë <b>"Quaye"</b>' })
  expect(created.status).toBe(303)
  const id = decodeURIComponent(String(created.headers.get('Location')).split('/').at(-1) ?? '')
  expect(await storedRecord('members', id)).toMatchObject({ 'Full Name': 'Zoë <b>"Quaye"</b>' })
})

test('an administrator erases a person by typing their name, and sees shared records first', async () => {
  const { html, visit, submit, storedRecord, put } = await withTwoMembers('admin')
  const page = await html('/records/members/m-1/erase')
  expect(page).toContain('1 booking and 1 case note')
  expect(page).toContain('/records/case-notes/n-1"')
  const etag = /name="etag" value="&quot;(\d+)&quot;"/.exec(page)?.[1]
  const post = (name: string, version = etag) =>
    submit('/records/members/m-1/erase', { etag: `"${version}"`, name })
  const refused = await post('Amara Okafor')
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('aria-invalid'),
  ])
  await put('members', [member('m-1', { 'Full Name': 'Amara Abara', Age: 41 })])
  const late = await post('Amara Abara')
  expect([late.status, await late.text()]).toEqual([412, expect.stringContaining('Somebody else')])
  expect(await storedRecord('members', 'm-1')).toBeDefined()

  const now = /&quot;(\d+)&quot;/.exec(await html('/records/members/m-1/erase'))?.[1]
  expect((await post(' amara  ABARA', now)).status).toBe(303)
  expect(await storedRecord('members', 'm-1')).toBeUndefined()
  expect(await storedRecord('bookings', 'b-1')).toMatchObject({
    memberId: '',
    userName: '',
    userEmail: '',
  })
  expect(await storedRecord('case-notes', 'n-1')).toMatchObject({
    linkedEntities: { memberIds: ['m-2'] },
  })
  expect((await visit('/records/events/event-1/erase')).status).toBe(404)
})

test('the page of an erasure shows what seems to be theirs, and suggests a search of the notes', async () => {
  const { html, put } = await withTwoMembers('admin')
  expect(await html('/records/members/m-1/erase')).not.toContain('to be theirs')
  const application = everything['grant-applications']?.document
  const recipient = { phone: '01134960000' }
  await put(
    'grant-applications',
    ['A. Abara', 'Warm Rooms'].map((name) => ({
      id: name,
      document: {
        ...application,
        applicationId: name,
        title: `For ${name}`,
        recipient: { ...recipient, name },
      },
    })),
  )
  const page = await html('/records/members/m-1/erase')
  const text = page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  expect(text).toContain('1 grant application seems to be theirs')
  const [own, others] = page.split('Records about other people too')
  expect(own).toContain(`/records/grant-applications/${encodeURIComponent('A. Abara')}"`)
  expect(others).toContain(`/records/grant-applications/${encodeURIComponent('Warm Rooms')}"`)
  expect(page).toContain('/records/case-notes?%24search=Amara+Abara"')
})

test.each<[Role, number, number]>([
  ['admin', 200, 200],
  ['editor', 200, 403],
  ['reader', 403, 403],
])('%s: exporting a person gives %i, and erasing them %i', async (role, given, erasing) => {
  const { visit, submit, storedRecord, html } = await withTwoMembers(role)
  const page = await html('/records/members/m-1')
  expect([page.includes('/export?'), page.includes('/m-1/erase')]).toEqual([
    given === 200,
    erasing === 200,
  ])
  const zip = await visit('/records/members/m-1/export')
  expect(zip.status).toBe(given)
  if (given === 200) expect(zip.headers.get('Content-Type')).toBe('application/zip')
  await zip.arrayBuffer()
  expect((await visit('/records/members/m-1/erase')).status).toBe(erasing)
  if (erasing === 200) return
  // Typing another name does not bypass the role either.
  for (const name of ['Amara Abara', 'Nobody'])
    expect((await submit('/records/members/m-1/erase', { name })).status).toBe(403)
  expect(await storedRecord('members', 'm-1')).toBeDefined()
})
