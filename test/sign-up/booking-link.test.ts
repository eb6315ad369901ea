import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import type { ApiError } from '../../src/model/api-error.ts'
import {
  acceptOffer,
  cancelBookings,
  changeAttendee,
  confirmAddress,
  readLinkedBooking,
} from '../../src/sign-up/booking-link.ts'
import { signUp } from '../../src/sign-up/sign-up.ts'
import { offerFreePlaces } from '../../src/sign-up/waiting-list.ts'
import { inHours, newSite, origin, secretsIn } from './site.ts'

const conflict = expect.objectContaining({ type: 'CONFLICT' })

test('a link leads to one booking of its organisation', async () => {
  const site = await newSite()
  const { links } = await site.signUp(['Ada', 'Bea'])
  const { store } = site.context()
  const [ada, bea] = await Promise.all(links.map(({ secret }) => readLinkedBooking(store, secret)))
  expect([ada?.booking.userName, bea?.booking.userName]).toEqual(['Ada', 'Bea'])
  expect(ada).toMatchObject({
    contact: { name: 'Ada', email: 'ada@oak.test', origin },
    values: { 'Full Name': 'Ada' },
    questionAnswers: {},
    sequence: 0,
    heldUntil: undefined,
    event: { name: 'Lunch club' },
  })
  const other = await newSite()
  expect(await readLinkedBooking(other.context().store, links[0]?.secret ?? '')).toBeUndefined()
  expect(await readLinkedBooking(store, "' OR 1")).toBeUndefined()
})

test('somebody who gives up a place can sign up again, after the people who wait', async () => {
  const site = await newSite({ capacityTotal: 1 })
  const [ada] = (await site.signUp(['Ada'])).links
  await site.signUp(['Bea'])
  const secret = ada?.secret ?? ''
  await cancelBookings(site.context(), secret)
  await cancelBookings(site.context(), secret)
  expect((await readLinkedBooking(site.context().store, secret))?.sequence).toBe(1)
  expect((await site.signUp(['Ada'])).outcome).toBe('waiting')
  expect(await site.states()).toEqual(['Ada cancelled', 'Bea offered', 'Ada waiting'])
})

test('an offer is accepted once, and with mail the next who waits gets the link', async () => {
  const site = await newSite({ capacityTotal: 1 })
  await site.signUp(['Ada'], {}, true)
  await site.signUp(['Bea'], {}, true)
  const [ada, bea] = site.sent.map(({ text }) => secretsIn(text)[0] ?? '')
  await cancelBookings(site.context(true), ada ?? '')
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

test('a link that is used twice at once has one effect', async () => {
  const site = await newSite()
  await site.signUp(['Ada'], {}, true)
  const [ada = ''] = secretsIn(site.sent[0]?.text ?? '')
  const thrice = (use: typeof confirmAddress) =>
    Promise.all([1, 2, 3].map(() => use(site.context(true), ada)))
  await thrice(confirmAddress)
  expect(await site.states()).toEqual(['Ada confirmed'])
  await thrice(cancelBookings)
  expect(await site.states()).toEqual(['Ada cancelled'])
})

test('nobody confirms or accepts a place after the event', async () => {
  const site = await newSite({ capacityTotal: 2 })
  await site.signUp(['Ada'], {}, true)
  await site.signUp(['Bea'])
  await site.signUp(['Cem'], {}, true)
  await site.change('Bea', { attending: false, userStatus: 'cancelled' })
  await offerFreePlaces(site.context(true), 'event-1')
  const secrets = site.sent.map(({ text }) => secretsIn(text)[0] ?? '')
  expect(await site.states()).toEqual(['Ada unconfirmed', 'Bea cancelled', 'Cem offered'])
  await site.changeEvent({ start: inHours(-3), end: inHours(-1) })
  for (const [index, use] of [confirmAddress, acceptOffer, acceptOffer].entries())
    await expect(use(site.context(), secrets[index] ?? '')).rejects.toEqual(conflict)
  expect(await site.states()).toEqual(['Ada unconfirmed', 'Bea cancelled', 'Cem offered'])
})

test('with mail, every answer is the same, and the message asks to confirm the address', async () => {
  const site = await newSite({ capacityTotal: 4 })
  await site.signUp(['Cem', 'Dan'])
  const answers = [
    await site.signUp(['Ada', '<b>Win</b> at evil.test'], {}, true),
    await site.signUp(['Ada'], {}, true),
    await site.signUp(['Bea'], {}, true),
  ]
  expect(answers).toEqual(Array(3).fill({ outcome: 'unconfirmed', links: [] }))
  const [first, again, full] = site.sent
  expect(first).toMatchObject({ to: 'ada@oak.test', subject: 'Your sign-up for Lunch club' })
  expect(first?.text).toMatch(/Please confirm your address by \w+ \d+ \w+ \d{4}, [\w:]+: /)
  expect(first?.text).toContain('Ada:\nhttps://pages.test/o/')
  expect(first?.text).toContain('Person 2:\nhttps://pages.test/o/')
  expect(again?.text).toContain('These people were signed up before:')
  expect(full?.text).toContain('on the waiting list')
  expect((await site.states()).slice(2)).toEqual([
    ...['Ada unconfirmed', '<b>Win</b> at evil.test unconfirmed', 'Bea waiting'],
  ])
  const secrets = site.sent.flatMap(({ text }) => secretsIn(text))
  expect(new Set(secrets).size).toBe(4)
  await confirmAddress(site.context(), secretsIn(again?.text ?? '')[0] ?? '')
  expect((await site.states()).slice(2, 4)).toEqual([
    ...['Ada confirmed', '<b>Win</b> at evil.test confirmed'],
  ])
})

test('messages name the day of the event, and the day until which a place is held', async () => {
  const site = await newSite({ capacityTotal: 1 }, { event: { start: '2096-12-15T14:00:00.000Z' } })
  await site.signUp(['Ada'], {}, true)
  await site.signUp(['Bea'], {}, true)
  await cancelBookings(site.context(true), secretsIn(site.sent[0]?.text ?? '')[0] ?? '')
  await site.finishTasks()
  expect(site.sent.map(({ subject }) => subject)).toEqual([
    ...Array(2).fill('Your sign-up for Lunch club'),
    'A place at Lunch club',
  ])
  for (const { text } of site.sent) expect(text).toContain('on Saturday 15 December 2096, 2pm')
  const day = /(?:by|until) \w+day \d+ \w+ \d{4}, [\w:]+/
  expect(site.sent.map(({ text }) => day.test(text))).toEqual([true, false, true])
})

test('the HTML of a message is escaped, and its subject is one line', async () => {
  const site = await newSite({}, { event: { name: '<i>Lunch</i>\r\nBcc: x & "y"' } })
  await site.signUp(['Ada'], {}, true)
  expect(site.sent[0]?.subject).toBe('Your sign-up for <i>Lunch</i> Bcc: x & "y"')
  expect(site.sent[0]?.html).toContain('“&lt;i&gt;Lunch&lt;/i&gt;<br>Bcc: x &amp; &quot;y&quot;”')
  expect(site.sent[0]?.html).toMatch(/<a href="https:\/\/pages\.test\/o\/[^"<]+">Ada<\/a>/)
})

test('ten forms of a stranger do not silence an address, and no sign-up stays without its message', async () => {
  const site = await newSite()
  const mailbox = crypto.randomUUID()
  let count = 0
  const send = async (network: string) => {
    const contact = { name: 'Ada', email: `${mailbox}+${++count}@oak.test` }
    const input = site.inputFor([`Ada ${count}`], { contact })
    const result = await signUp(site.context(true, network), input).catch(
      (error: ApiError) => error.type,
    )
    await site.finishTasks()
    return typeof result === 'string' ? result : result.outcome
  }
  const sendFrom = async (network: string) => {
    const outcomes: string[] = []
    for (let times = 0; times < 12; times++) outcomes.push(await send(network))
    return outcomes
  }
  const ofNetwork = [...Array(10).fill('unconfirmed'), ...Array(2).fill('RATE_LIMITED')]
  expect(await sendFrom('stranger')).toEqual(ofNetwork)
  expect(await send('home')).toBe('unconfirmed')
  await sendFrom('another')
  await sendFrom('third')
  expect(await send('home')).toBe('RATE_LIMITED')
  expect(site.sent).toHaveLength(30)
  expect(await site.bookings()).toHaveLength(30)
})

test('before the response, a known and a new person cause the same work', async () => {
  const site = await newSite({ capacityTotal: 1 })
  const contact = { name: 'Ada', email: 'ada@oak.test' }
  await site.signUp(['Ada'], { contact }, true)
  const work = async (name: string) => {
    const tasks: unknown[] = []
    const context = {
      ...site.context(true),
      runInBackground: (task: unknown) => void tasks.push(task),
    }
    const prepare = vi.spyOn(env.DB, 'prepare')
    const result = await signUp(context, site.inputFor([name], { contact }))
    const statements = prepare.mock.calls.length
    prepare.mockRestore()
    const { rowsRead } = context.store.cost
    return { result, statements, rowsRead, tasks: tasks.length, sent: site.sent.length }
  }
  const known = await work('Ada')
  expect(known).toMatchObject({ tasks: 1, sent: 1 })
  expect(known.statements).toBeGreaterThan(0)
  expect(await work('Bea')).toEqual(known)
  expect(await site.states()).toEqual(['Ada unconfirmed'])
})

test('a person can be replaced, but not by somebody with a booking', async () => {
  const site = await newSite()
  const contact = { name: 'Ada', email: 'ada@oak.test' }
  await site.signUp(['Ada', 'Bea'], { contact }, true)
  const [secret = ''] = secretsIn(site.sent[0]?.text ?? '')
  const change = (values: object) =>
    changeAttendee(site.context(true), secret, { values: { ...values } }).catch(
      (error: ApiError) => error.errors[0]?.field ?? error.type,
    )
  expect(await change({ 'Full Name': 'bea' })).toBe('attendees.0')
  expect(await change({})).toBe('attendees.0.Full Name')
  expect(await change({ 'Full Name': 'Cem', Email: 'cem@oak.test' })).toBeUndefined()
  expect(await site.states()).toEqual(['Cem unconfirmed', 'Bea unconfirmed'])
  expect(await readLinkedBooking(site.context().store, secret)).toMatchObject({
    booking: { userEmail: 'cem@oak.test' },
    values: { 'Full Name': 'Cem', Email: 'cem@oak.test' },
  })
  await cancelBookings(site.context(), secret)
  expect(await change({ 'Full Name': 'Dan' })).toBe('CONFLICT')
})
