import { expect, test } from 'vitest'
import { newSignedIn } from './signed-in.ts'

const fields = [
  { id: 'Full Name', name: 'Full Name', label: 'Full name', type: 'text', order: 0 },
  { id: 'Email', name: 'Email', label: 'Email', type: 'email', order: 1 },
]

/** The ids and texts of the options for a text. */
async function pick({ html }: Awaited<ReturnType<typeof newSignedIn>>, path: string) {
  const page = await html(`/records/pick/${path}`)
  const options = page.matchAll(/<div data-id="([^"]*)"><span>(.*?)<\/span>/g)
  return Object.fromEntries(
    [...options].map(([, id, text = '']) => [id, text.replaceAll(/<[^>]*>/g, ' | ').trim()]),
  )
}

test('a picker finds people by part of a name, with a detail that tells them apart', async () => {
  const person = await newSignedIn('reader')
  await person.schema('members', fields)
  await person.put('members', [
    { id: 'm-1', document: { memberId: 'm-1', 'Full Name': 'Ada Abara', Email: 'a@b.test' } },
    { id: 'm-2', document: { memberId: 'm-2', 'Full Name': 'Ada <Okafor>' } },
    { id: 'm-3', document: { memberId: 'm-3', 'Full Name': 'Zoe Quaye' } },
  ])
  expect(await pick(person, 'members?q=ada')).toEqual({
    'm-1': 'Ada Abara | a@b.test |',
    'm-2': 'Ada &lt;Okafor&gt;',
  })
  expect(await person.html('/records/pick/members?q=nobody')).toContain('Nothing matches.')
  expect(
    (await (await newSignedIn('steward', person)).visit('/records/pick/members?q=ada')).status,
  ).toBe(403)
  expect(await pick(await newSignedIn('reader'), 'members?q=ada')).toEqual({})
  expect((await person.visit('/records/pick/schemas?q=ada')).status).toBe(404)
})

test('a picker finds events by part of a name, the next date first', async () => {
  const person = await newSignedIn('reader')
  const event = (eventId: string, start: string, parentEventId = '', name = "Zoe's Yoga") => ({
    id: eventId,
    document: { eventId, name, start, parentEventId },
  })
  await person.put('events', [
    event('series', '2025-01-11T10:00:00.000Z'),
    event('past', '2025-01-18T10:00:00.000Z', 'series'),
    event('later', '2999-07-13T09:30:00.000Z'),
    event('next', '2999-01-12T10:00:00.000Z'),
    event('other', '2999-01-12T10:00:00.000Z', '', 'Lunch'),
  ])
  const options = await pick(person, "events?q=e's+yog")
  expect(Object.entries(options)).toEqual([
    ['next', 'Zoe&#39;s Yoga | Saturday 12 January 2999, 10am |'],
    ['later', 'Zoe&#39;s Yoga | Saturday 13 July 2999, 10:30am |'],
    ['past', 'Zoe&#39;s Yoga | Saturday 18 January 2025, 10am |'],
    ['series', 'Zoe&#39;s Yoga | All dates, the first on Saturday 11 January 2025 |'],
  ])
})
