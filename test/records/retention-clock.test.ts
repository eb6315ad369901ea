import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runRetention } from '../../src/records/retention.ts'
import { setRule } from '../../src/store/settings/retention.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { newOrganisation } from '../organisation.ts'
import { runs } from '../runs.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'

const hour = 3_600_000
const day = 24 * hour

/** Days at which a calendar or the clock is odd: the ends of summer time and its beginnings, of months and of leap years. */
const oddDays = [
  '2027-03-28',
  '2027-10-31',
  '2027-12-31',
  '2028-02-29',
  '2028-03-01',
  '2028-03-26',
  '2028-03-31',
  '2028-05-31',
  '2028-10-29',
].map((text) => Date.parse(text))

const oddDay = fc.constantFrom(...oddDays)

const ages = fc.constantFrom(
  { number: 1, unit: 'day' },
  { number: 30, unit: 'day' },
  { number: 1, unit: 'month' },
  { number: 6, unit: 'month' },
  { number: 12, unit: 'month' },
  { number: 48, unit: 'month' },
)

type Age = { number: number; unit: string }

/** How the clock goes on between two runs of the schedule: by hours, days or, after a correction, back. */
const jumps = fc.array(
  fc.oneof(
    fc.integer({ min: 1, max: 30 }).map((hours) => hours * hour),
    fc.integer({ min: 2, max: 40 }).map((days) => days * day),
    fc.constantFrom(-hour, -day),
    fc.constantFrom(1, 999, 1000),
  ),
  { minLength: 3, maxLength: 8 },
)

/** The times of records, in milliseconds from the start of the first day that is not too old. */
const offsets = fc.array(
  fc.oneof(
    fc.constantFrom(-hour - 1, -hour, -1, 0, 1, hour - 1, hour, hour + 1),
    fc.integer({ min: -3 * day, max: 40 * day }),
  ),
  { minLength: 1, maxLength: 8 },
)

const londonDays = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' })

/** Returns the first day in the United Kingdom that is not older than an age at a time. */
function findCutoff({ number, unit }: Age, now: number): string {
  const [year = 0, month = 0, date = 0] = londonDays.format(now).split('-').map(Number)
  if (unit === 'day') return dayOf(Date.UTC(year, month - 1, date - number))
  const lastOfMonth = new Date(Date.UTC(year, month - number, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 - number, Math.min(date, lastOfMonth)))
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

test('with any clock, a rule deletes no record too early, and each on the first day that it may', async () => {
  await fc.assert(
    fc.asyncProperty(oddDay, ages, offsets, jumps, async (start, age, offsets, jumps) => {
      await rows('DELETE FROM retention_rules')
      const { id, put } = await newOrganisation()
      const cutoff = Date.parse(findCutoff(age, start))
      const times = new Map(offsets.map((offset, index) => [`e${index}`, cutoff + offset]))
      await put(
        'events',
        [...times].map(([eventId, time]) => ({
          id: eventId,
          document: { eventId, start: new Date(time).toISOString() },
        })),
      )
      const rule = { collection: 'events', field: 'start', age: `${age.number} ${age.unit}s` }
      await setRule(administeredStore(env.DB, id, 'a test'), rule)
      // A rule waits a day.
      await rows("UPDATE retention_rules SET created = '2020-01-01'")
      let now = start
      let lastDay = ''
      for (const jump of [0, ...jumps]) {
        now += jump
        const today = londonDays.format(now)
        // A day runs once, also when the clock comes back to it.
        if (today > lastDay)
          for (const [event, time] of times)
            if (londonDays.format(time) < findCutoff(age, now)) times.delete(event)
        lastDay = today > lastDay ? today : lastDay
        await runRetention(env, now, { parts: 10, end: Number.POSITIVE_INFINITY })
        const left = await rows(
          "SELECT id FROM records WHERE organisation_id = ? AND collection = 'events' ORDER BY id",
          id,
        )
        expect([today, left.map((event) => event.id)]).toEqual([today, [...times.keys()]])
      }
      await expectOrganisationIndex(id)
    }),
    runs(8),
  )
})
