import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { confirmAddress } from '../../src/sign-up/booking-link.ts'
import { lapseHolds, runSignUps } from '../../src/sign-up/schedule.ts'
import { signUp } from '../../src/sign-up/sign-up.ts'
import { muteLog } from '../logs/mute.ts'
import { setMovingTo } from '../organisation.ts'
import { newSite, secretsIn } from './site.ts'

const minute = 60_000

// The schedule is for all organisations, so those of other tests would use up its limits.
beforeEach(async () => {
  await env.DB.batch(
    ['sign_ups', 'sign_up_requests'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  )
})

type Site = Awaited<ReturnType<typeof newSite>>

/** Makes the mail provider refuse the next messages. */
const refuseMail = ({ mail }: Site, times = 1) => {
  const send = vi.spyOn(mail, 'send')
  for (let count = 0; count < times; count++) send.mockRejectedValueOnce(new Error('refused'))
  return send
}

/** Makes the statements that write a booking fail. */
const failBookings = () => {
  const prepare = env.DB.prepare.bind(env.DB)
  return vi.spyOn(env.DB, 'prepare').mockImplementation((query) => {
    if (query.includes('INSERT INTO sign_ups')) throw new Error('The database failed.')
    return prepare(query)
  })
}

/** Signs up like a page, whose background work may be lost. */
async function signUpWithoutTasks(site: Site, names: readonly string[]) {
  const context = { ...site.context(true), runInBackground: () => {} }
  return signUp(context, site.inputFor(names))
}

describe('a sign-up after “We are sending a message”', () => {
  test('is finished by the schedule when the provider refused its message', async () => {
    const site = await newSite({ capacityTotal: 4 })
    muteLog()
    refuseMail(site)
    const now = Date.now()
    expect((await site.signUp(['Ada'], {}, true)).outcome).toBe('unconfirmed')
    expect(site.sent).toEqual([])
    await runSignUps(site.env, now + minute)
    expect(site.sent).toEqual([])
    await runSignUps(site.env, now + 3 * minute)
    expect(await site.states()).toEqual(['Ada unconfirmed'])
    expect(site.sent.map(({ text }) => text)).toEqual([
      expect.stringContaining('Please confirm your address'),
    ])
    const [secret = ''] = secretsIn(site.sent[0]?.text ?? '')
    await confirmAddress(site.context(true), secret)
    expect(await site.states()).toEqual(['Ada confirmed'])
    await runSignUps(site.env, now + 10 * minute)
    expect(site.sent).toHaveLength(1)
    expect(await site.count('sign_up_requests')).toBe(0)
  })

  test('is finished when the database failed', async () => {
    const site = await newSite({ capacityTotal: 4 })
    const failing = failBookings()
    muteLog()
    await expect(site.signUp(['Ada', 'Bea'], {}, true)).rejects.toThrow('The database failed.')
    failing.mockRestore()
    expect(await site.bookings()).toEqual([])
    await runSignUps(site.env, Date.now() + 3 * minute)
    expect(await site.states()).toEqual(['Ada unconfirmed', 'Bea unconfirmed'])
    expect(site.sent).toHaveLength(1)
    expect(await site.count('sign_up_requests')).toBe(0)
  })

  test('is finished when the Worker was stopped', async () => {
    const site = await newSite({ capacityTotal: 4 })
    await signUpWithoutTasks(site, ['Ada'])
    expect(await site.bookings()).toEqual([])
    await runSignUps(site.env, Date.now() + 3 * minute)
    expect(await site.states()).toEqual(['Ada unconfirmed'])
    expect(site.sent).toHaveLength(1)
  })

  test('is done once when two runs of the schedule overlap', async () => {
    const site = await newSite({ capacityTotal: 4 })
    await signUpWithoutTasks(site, ['Ada'])
    const later = Date.now() + 3 * minute
    await Promise.all([runSignUps(site.env, later), runSignUps(site.env, later)])
    expect(await site.states()).toEqual(['Ada unconfirmed'])
    expect(site.sent).toHaveLength(1)
  })

  test('holds its place from the attempt whose message is sent', async () => {
    const site = await newSite({ capacityTotal: 4 })
    muteLog()
    refuseMail(site)
    await site.signUp(['Ada'], {}, true)
    await env.DB.prepare('UPDATE sign_ups SET held_until = ? WHERE organisation_id = ?')
      .bind(new Date(Date.now() + 3 * minute).toISOString(), site.id)
      .run()
    await runSignUps(site.env, Date.now() + 2.5 * minute)
    await lapseHolds(env, Date.now() + 14 * minute)
    expect(await site.states()).toEqual(['Ada unconfirmed'])
  })

  test('books again when its place fell free before a message could be sent', async () => {
    const site = await newSite({ capacityTotal: 2 })
    muteLog()
    refuseMail(site)
    const now = Date.now()
    await site.signUp(['Ada', 'Bea'], {}, true)
    await lapseHolds(env, now + 16 * minute)
    await site.signUp(['Cem'])
    await runSignUps(site.env, now + 17 * minute)
    expect(await site.states()).toEqual([
      ...['Ada lapsed', 'Bea lapsed', 'Cem confirmed'],
      ...['Ada waiting', 'Bea waiting'],
    ])
    expect(site.sent[0]?.text).toContain('on the waiting list')
  })

  test('says which people were signed up before', async () => {
    const site = await newSite({ capacityTotal: 8 })
    const contact = { name: 'Ada', email: 'ada@oak.test' }
    await site.signUp(['Ada'], { contact }, true)
    muteLog()
    refuseMail(site)
    await site.signUp(['Ada', 'Bea'], { contact }, true)
    await runSignUps(site.env, Date.now() + 3 * minute)
    expect(await site.states()).toEqual(['Ada unconfirmed', 'Bea unconfirmed'])
    const [, again] = site.sent.map(({ text }) => text)
    expect(again).toMatch(/Please confirm your address.*Bea:.*signed up before:.*Ada:/s)
  })

  test('is given up after eight attempts, and its data is deleted', async () => {
    const site = await newSite({ capacityTotal: 4 })
    muteLog()
    const send = refuseMail(site, 20)
    const now = Date.now()
    await site.signUp(['Ada'], {}, true)
    for (let minutes = 1; minutes <= 270; minutes += 3)
      await runSignUps(site.env, now + minutes * minute)
    expect(send).toHaveBeenCalledTimes(8)
    expect(await site.count('sign_up_requests')).toBe(0)
  })

  test.each([
    ['a day later', (site: Site) => runSignUps(site.env, Date.now() + 25 * 60 * minute)],
    [
      'once the event is closed',
      async (site: Site) => {
        await site.changeEvent({ bookable: false })
        await runSignUps(site.env, Date.now() + 3 * minute)
      },
    ],
    [
      'once the public pages are off',
      async (site: Site) => {
        await site.switchOff()
        await runSignUps(site.env, Date.now() + 3 * minute)
      },
    ],
  ])('is not finished %s, and its data is deleted', async (_, run) => {
    const site = await newSite({ capacityTotal: 4 })
    await signUpWithoutTasks(site, ['Ada'])
    await run(site)
    expect(await site.bookings()).toEqual([])
    expect(site.sent).toEqual([])
    expect(await site.count('sign_up_requests')).toBe(0)
  })

  test('waits while its organisation moves', async () => {
    const site = await newSite({ capacityTotal: 4 })
    await signUpWithoutTasks(site, ['Ada'])
    await setMovingTo(site.id, 'DB_1')
    await runSignUps(site.env, Date.now() + 3 * minute)
    expect(await site.count('sign_up_requests')).toBe(1)
    await setMovingTo(site.id, null)
    await runSignUps(site.env, Date.now() + 3 * minute)
    expect(await site.states()).toEqual(['Ada unconfirmed'])
  })
})

test('a sign-up that is refused is not stored', async () => {
  const site = await newSite()
  const contact = { name: 'Ada', email: `${crypto.randomUUID()}@oak.test` }
  const context = { ...site.context(true), runInBackground: () => {} }
  for (let times = 0; times < 10; times++)
    await signUp(context, site.inputFor(['Ada'], { contact }))
  await expect(signUp(context, site.inputFor(['Ada'], { contact }))).rejects.toMatchObject({
    type: 'RATE_LIMITED',
  })
  expect(await site.count('sign_up_requests')).toBe(10)
})
