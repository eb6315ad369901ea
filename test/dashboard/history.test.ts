import { expect, test } from 'vitest'
import { everything, putEverything } from '../examples/everything.ts'
import { rowsRead } from '../organisation.ts'
import { newSignedIn } from './signed-in.ts'

const fields = [
  ...[
    ['Full Name', 'text'],
    ['Email', 'email'],
    ['Phone', 'phone'],
    ['Age', 'number'],
    ['Joined', 'date'],
  ].map(([id, type], order) => ({ id, name: id, label: id, type, order })),
]

const values = { 'Full Name': 'Joan Redfern', Phone: '07700 900128', Age: 64 }

async function withMember(role?: Parameters<typeof newSignedIn>[0]) {
  const person = await newSignedIn(role)
  await person.schema('members', fields)
  const put = (id: string, document: object) =>
    person.put('members', [{ id, document: { memberId: id, ...document } }])
  await put('joan', values)
  const edit = (changes: Record<string, string>) =>
    person.submit('/records/members/joan/edit', changes)
  const read = async (field: string) => {
    const { member } = await person.json<{ member: { fields: { key: string; value: unknown }[] } }>(
      '/members/joan',
    )
    return member.fields.find(({ key }) => key === field)?.value
  }
  return { ...person, putMember: put, edit, read }
}

/** The texts of the entries of a history, without the times. */
const entriesOf = (html: string) =>
  [...html.matchAll(/<li class="event">(.*?)<\/li>/gs)].map(([, entry = '']) =>
    entry
      .replaceAll(/<time.*?<\/time>|<form.*?<\/form>/gs, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )

/** The fields of the form that undoes a change of a field. */
const undoOf = (html: string, field: string) => {
  const version = new RegExp(
    `name="version" value="(\\d+)"/><button[^>]*aria-label="Undo the change of ${field}"`,
  ).exec(html)?.[1]
  expect([field, version]).toEqual([field, expect.any(String)])
  return [['version', String(version)]] as [string, string][]
}

test('the history shows who changed which field from what to what', async () => {
  const { edit, html, email } = await withMember()
  await edit({ Phone: '07700 900182', Age: '' })
  await edit({ Joined: '2026-07-02' })
  const page = await html('/records/members/joan')
  const by = `${email},`
  expect(entriesOf(page)).toEqual([
    `Joined From empty To 2 Jul 2026 ${by}`,
    `Phone From 07700 900128 To 07700 900182 Age From 64 To empty ${by}`,
    'Added not known,',
  ])
  expect(entriesOf(await html('/records/members/joan/history'))).toEqual(entriesOf(page))
})

test('undoing a change leaves later changes of other fields, and is a change itself', async () => {
  const { edit, html, post, read } = await withMember('editor')
  await edit({ Phone: '07700 900182', Age: '65' })
  await edit({ Email: 'joan@example.org' })
  const form = undoOf(await html('/records/members/joan'), 'Phone, Age')
  expect((await post('/records/members/joan/undo', form)).status).toBe(303)
  expect([await read('Phone'), await read('Age'), await read('Email')]).toEqual([
    ...['07700 900128', 64, 'joan@example.org'],
  ])
  const page = await html('/records/members/joan')
  expect(page).toContain('The change was undone: Phone, Age.')
  await post('/records/members/joan/undo', undoOf(page, 'Phone, Age'))
  expect(await read('Age')).toBe(65)
})

test('a field that changed again since is shown, and stays', async () => {
  const { edit, html, post, read } = await withMember('editor')
  await edit({ Phone: '07700 900182', Age: '65' })
  const form = undoOf(await html('/records/members/joan'), 'Phone, Age')
  await edit({ Phone: '07700 900999' })
  const answer = await post('/records/members/joan/undo', form)
  expect(answer.status).toBe(409)
  const text = (await answer.text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  expect(text).toContain('Phone From 07700 900128 To 07700 900182')
  expect(text).toContain('Phone From 07700 900182 To 07700 900999')
  expect([await read('Phone'), await read('Age')]).toEqual(['07700 900999', 65])
  await post('/records/members/joan/undo', [...form, ['rest', 'true']])
  expect([await read('Phone'), await read('Age')]).toEqual(['07700 900999', 64])
})

test('texts, numbers and references are undone, and a reference shows names', async () => {
  const person = await newSignedIn('editor')
  await putEverything(person)
  await person.put('events', [{ id: 'other', document: { eventId: 'other', name: 'Other' } }])
  const document = { ...everything.bookings?.document, managedBy: person.id }
  await person.put('bookings', [{ id: 'booking-1', document }])
  const before = await person.json('/bookings/booking-1')
  const changes = { eventId: 'other', ticketName: null, attending: false, customPrice: null }
  await person.put('bookings', [{ id: 'booking-1', document: { ...document, ...changes } }])
  const page = await person.html('/records/bookings/booking-1')
  expect(entriesOf(page)[0]).toContain('Event From Lunch club To Other')
  const [, labels = ''] = /aria-label="Undo the change of ([^"]*)"/.exec(page) ?? []
  await person.post('/records/bookings/booking-1/undo', undoOf(page, labels))
  expect(await person.json('/bookings/booking-1')).toEqual(before)
})

test('a merge is undone from the history of the person who stayed', async () => {
  const { html, submit, post, putMember, json, put } = await withMember('editor')
  await putMember('double', { 'Full Name': 'J. Redfern', Email: 'joan@example.org' })
  const note = { ...everything['case-notes']?.document, noteId: 'n' }
  const linkedEntities = { memberIds: ['double'], partnerIds: [], volunteerIds: [] }
  await put('case-notes', [{ id: 'n', document: { ...note, linkedEntities } }])
  await submit('/records/members/joan/merge?with=double', {})
  const page = await html('/records/members/joan')
  expect(entriesOf(page)[0]).toMatch(/^Merged with J. Redfern Email From empty To joan@example.org/)
  expect(page).toContain('aria-label="Undo the merge with J. Redfern"')
  const answer = await post('/records/members/double/restore', [])
  expect([answer.status, answer.headers.get('Location')]).toEqual([
    303,
    expect.stringMatching(/\/records\/members\/double$/),
  ])
  expect(await json('/case-notes/n')).toMatchObject({
    caseNote: { linkedEntities: { memberIds: ['double'] } },
  })
  const after = await html('/records/members/joan')
  expect(after).not.toContain('aria-label="Undo the merge')
  expect(entriesOf(after)[0]).toMatch(/^Email From joan@example.org To empty/)
  await submit('/records/members/joan/merge?with=double', {})
  expect((await html('/records/members/joan')).split('aria-label="Undo the merge')).toHaveLength(2)
})

test('a reader sees the history without buttons, and cannot undo', async () => {
  const { html, post, edit } = await withMember('editor')
  await edit({ Age: '65' })
  const form = undoOf(await html('/records/members/joan'), 'Age')
  const reader = await withMember('reader')
  await reader.putMember('joan', { ...values, Age: 65 })
  const page = await reader.html('/records/members/joan')
  expect(entriesOf(page)[0]).toContain('Age From 64 To 65')
  expect(page).not.toContain('Undo')
  for (const action of ['undo', 'restore'])
    expect((await reader.post(`/records/members/joan/${action}`, form)).status).toBe(403)
  // An unknown version, and a version of another record.
  await edit({ Phone: '07700 900999' })
  expect((await post('/records/members/joan/undo', [['version', '1']])).status).toBe(404)
})

test('the page of a person reads a bounded number of rows', async () => {
  const person = await withMember('reader')
  const putBookings = (from: number, to: number) => {
    const bookings = Array.from({ length: to - from }, (_, index) => {
      const bookingId = `b-${from + index}`
      const date = `2026-${String((index % 12) + 1).padStart(2, '0')}-01`
      const values = { bookingId, memberId: 'joan', date }
      return { id: bookingId, document: { ...everything.bookings?.document, ...values } }
    })
    return person.put('bookings', bookings)
  }
  for (let age = 0; age < 60; age++) await person.putMember('joan', { ...values, Age: age })
  let count = 0
  for (const [total, maxRows] of [
    [50, 500],
    [500, 2100],
    [1100, 700],
  ] as const) {
    await putBookings(count, total)
    count = total
    const page = await person.visit('/records/members/joan')
    expect(await page.text()).toContain(`All ${total.toLocaleString('en-GB')} bookings`)
    expect([total, rowsRead(page) < maxRows, rowsRead(page)]).toEqual([
      ...[total, true, expect.any(Number)],
    ])
  }
})
