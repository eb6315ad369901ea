import { expect, test } from 'vitest'
import type { ApiError } from '../../src/model/api-error.ts'
import {
  acceptOffer,
  cancelBooking,
  changeAttendee,
  confirmAddress,
  readLinkedBooking,
} from '../../src/sign-up/booking-link.ts'
import { newSite, origin, secretsIn } from './site.ts'

const conflict = expect.objectContaining({ type: 'CONFLICT' })

test('a link leads to one booking of its own organisation', async () => {
  const site = await newSite()
  const { links } = await site.signUp(['Ada', 'Bea'])
  const { store } = site.context()
  const [ada, bea] = await Promise.all(links.map(({ secret }) => readLinkedBooking(store, secret)))
  expect([ada?.booking.userName, bea?.booking.userName]).toEqual(['Ada', 'Bea'])
  expect(ada).toMatchObject({
    contact: { name: 'Ada', email: 'ada@oak.test', origin },
    ...{ values: { 'Full Name': 'Ada' }, questionAnswers: {}, sequence: 0, heldUntil: undefined },
    event: { name: 'Lunch club' },
  })
  const other = await newSite()
  expect(await readLinkedBooking(other.context().store, links[0]?.secret ?? '')).toBeUndefined()
  expect(await readLinkedBooking(store, "' OR 1")).toBeUndefined()
})

test('somebody who gives up a place can sign up again, behind those who wait', async () => {
  const site = await newSite({ capacityTotal: 1 })
  const [ada] = (await site.signUp(['Ada'])).links
  await site.signUp(['Bea'])
  const secret = ada?.secret ?? ''
  await cancelBooking(site.context(), secret)
  await cancelBooking(site.context(), secret)
  expect((await readLinkedBooking(site.context().store, secret))?.sequence).toBe(1)
  expect((await site.signUp(['Ada'])).outcome).toBe('waiting')
  expect(await site.states()).toEqual(['Ada cancelled', 'Bea offered', 'Ada waiting'])
})

test('an offer is accepted once, and with mail the next who waits gets the link', async () => {
  const site = await newSite({ capacityTotal: 1 })
  await site.signUp(['Ada'], {}, true)
  await site.signUp(['Bea'], {}, true)
  const [ada, bea] = site.sent.map(({ text }) => secretsIn(text)[0] ?? '')
  await cancelBooking(site.context(true), ada ?? '')
  const [, , offer] = site.sent
  expect(offer).toMatchObject({ to: 'bea@oak.test', subject: 'A place at Lunch club' })
  expect(offer?.text).toMatch(/There is a place for you at “Lunch club” of Organisation \d+ on /)
  const [secret = ''] = secretsIn(offer?.text ?? '')
  expect(secret).not.toBe(bea)
  await expect(confirmAddress(site.context(), secret)).rejects.toEqual(conflict)
  await acceptOffer(site.context(), secret)
  await acceptOffer(site.context(), secret)
  expect(await site.states()).toEqual(['Ada cancelled', 'Bea confirmed'])
})

test('with mail, every answer is the same, and the message asks to confirm the address', async () => {
  const site = await newSite({ capacityTotal: 2 })
  const answers = [
    await site.signUp(['Ada', '<b>Win</b> at evil.test'], {}, true),
    await site.signUp(['Ada'], {}, true),
    await site.signUp(['Bea'], {}, true),
  ]
  expect(answers).toEqual(Array(3).fill({ outcome: 'unconfirmed', links: [] }))
  const [first, again, full] = site.sent
  expect(first).toMatchObject({ to: 'ada@oak.test', subject: 'Your sign-up for Lunch club' })
  expect(first?.text).toContain('Please confirm your address by ')
  expect(first?.text).toContain('Ada:\nhttps://pages.test/o/')
  expect(first?.text).toContain('Person 2:\nhttps://pages.test/o/')
  expect(again?.text).toContain('These people were signed up before:')
  expect(full?.text).toContain('on the waiting list')
  expect(await site.states()).toEqual([
    ...['Ada unconfirmed', '<b>Win</b> at evil.test unconfirmed', 'Bea waiting'],
  ])
  const secrets = site.sent.flatMap(({ text }) => secretsIn(text))
  expect(new Set(secrets).size).toBe(4)
  await confirmAddress(site.context(), secretsIn(again?.text ?? '')[0] ?? '')
  expect((await site.states()).slice(0, 2)).toEqual([
    ...['Ada confirmed', '<b>Win</b> at evil.test confirmed'],
  ])
})

test('the HTML of a message is escaped, and its subject is one line', async () => {
  const site = await newSite({}, { event: { name: '<i>Lunch</i>\r\nBcc: x & "y"' } })
  await site.signUp(['Ada'], {}, true)
  expect(site.sent[0]?.subject).toBe('Your sign-up for <i>Lunch</i> Bcc: x & "y"')
  expect(site.sent[0]?.html).toContain('“&lt;i&gt;Lunch&lt;/i&gt;\r\nBcc: x &amp; &quot;y&quot;”')
  expect(site.sent[0]?.html).toMatch(/<a href="https:\/\/pages\.test\/o\/[^"<]+">Ada<\/a>/)
})

test('an address gets ten messages a day', async () => {
  const site = await newSite()
  const email = `${crypto.randomUUID()}@oak.test`
  for (let count = 0; count < 12; count++)
    await site.signUp([`Ada ${count}`], { contact: { name: 'Ada', email } }, true)
  expect(site.sent).toHaveLength(10)
})

test('a person can be replaced, but not by one who has a booking', async () => {
  const site = await newSite()
  const contact = { name: 'Ada', email: 'ada@oak.test' }
  const { links } = await site.signUp(['Ada', 'Bea'], { contact })
  const [{ secret = '' } = {}] = links
  const change = (values: object) =>
    changeAttendee(site.context(), secret, { values: { ...values } }).catch(
      (error: ApiError) => error.errors[0]?.field ?? error.type,
    )
  expect(await change({ 'Full Name': 'bea' })).toBe('attendees.0')
  expect(await change({})).toBe('attendees.0.Full Name')
  expect(await change({ 'Full Name': 'Cem', Email: 'cem@oak.test' })).toBeUndefined()
  expect(await site.states()).toEqual(['Cem confirmed', 'Bea confirmed'])
  expect(await readLinkedBooking(site.context().store, secret)).toMatchObject({
    booking: { userEmail: 'cem@oak.test' },
    values: { 'Full Name': 'Cem', Email: 'cem@oak.test' },
  })
  await cancelBooking(site.context(), secret)
  expect(await change({ 'Full Name': 'Dan' })).toBe('CONFLICT')
})
