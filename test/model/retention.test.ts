import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { deleteOldSignUps } from '../../src/sign-up/schedule.ts'
import { deleteAllOldVersions } from '../records/delete-all-old-versions.ts'
import { newWriter } from '../resources/writing.ts'
import { runs } from '../runs.ts'
import { newSite } from '../sign-up/site.ts'
import { rows } from '../store/whole-index.ts'

const hour = 3_600_000
const day = 24 * hour

// The schedule is for all organisations, so those of other tests would use up its limits.
beforeEach(async () => void (await env.DB.exec('DELETE FROM sign_ups')))

/** Distances from a boundary: on both sides, a millisecond or a few hours away. */
const nearBoundary = fc.oneof(
  fc.constantFrom(-1, 0, 1),
  fc.integer({ min: -3 * hour, max: 3 * hour }),
)

test('a previous version is returned until the cron runs after its last moment, and never after', async () => {
  const run = fc.record({ version: fc.nat(3), distance: nearBoundary })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 90 }),
      fc.array(fc.integer({ min: 1, max: 3 * day }), { minLength: 4, maxLength: 4 }),
      fc.array(run, { minLength: 1, maxLength: 6 }),
      async (days, gaps, cronRuns) => {
        const { id, send } = await newWriter()
        await rows('UPDATE organisations SET version_days = ?2 WHERE id = ?1', id, days)
        for (const name of ['A', 'B', 'C', 'D', 'E']) await send('PUT', '/events/e', { name })
        // The times of the changes are as far apart as the history says.
        const changes = await rows(
          `SELECT version FROM history WHERE organisation_id = ? AND replaced IS NOT NULL ORDER BY version`,
          id,
        )
        let at = Date.UTC(2026, 2, 27)
        const times = new Map<number, number>()
        for (const [index, { version }] of changes.entries()) {
          at += gaps[index % gaps.length] ?? day
          times.set(Number(version), at)
          await rows(
            'UPDATE history SET at = ?2 WHERE organisation_id = ?1 AND version = ?3',
            id,
            new Date(at).toISOString(),
            Number(version),
          )
        }
        let latestRun = 0
        for (const { version, distance } of cronRuns) {
          const now = ([...times.values()][version] ?? at) + days * day + distance
          latestRun = Math.max(latestRun, now)
          await deleteAllOldVersions(now)
          const left = await rows(
            'SELECT version FROM history WHERE organisation_id = ? AND replaced IS NOT NULL ORDER BY version',
            id,
          )
          const expected = [...times].filter(([, time]) => time >= latestRun - days * day)
          expect(left.map(({ version }) => Number(version))).toEqual(
            expected.map(([version]) => version),
          )
        }
      },
    ),
    runs(3),
  )
})

const londonDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' })

/** A day so many days after another. */
const addDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)

// Events end within hours of midnight, in weeks in which the clocks change and in others.
const clockChanges = [Date.UTC(2027, 2, 28), Date.UTC(2027, 9, 31), Date.UTC(2028, 2, 26)]
const ends = fc
  .tuple(
    fc.constantFrom(...clockChanges, Date.UTC(2027, 6, 1)),
    fc.integer({ min: -2, max: 2 }),
    fc.integer({ min: -3 * 60, max: 3 * 60 }),
  )
  .map(([date, days, minutes]) => date + days * day + minutes * 60_000)

test('sign-ups and answers are there until the end of their last day in the United Kingdom, and then deleted', async () => {
  const cronRuns = fc.array(
    fc.record({ days: fc.constantFrom(0, 1, 29, 30, 31, 32, 60), minutes: fc.nat(24 * 60) }),
    { minLength: 2, maxLength: 8 },
  )
  const questionDays = fc.array(fc.integer({ min: -10, max: 45 }), { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(ends, questionDays, cronRuns, async (end, questionDays, cronRuns) => {
      const lastDay = londonDate.format(end)
      const site = await newSite(
        {},
        {
          event: {
            start: new Date(end - 2 * hour).toISOString(),
            end: new Date(end).toISOString(),
          },
        },
      )
      const questions = questionDays.map((days, index) => ({
        id: `q${index}`,
        deleteAfter: addDays(lastDay, days),
      }))
      await site.ask(
        questions.map((question) => ({
          ...question,
          ...{ label: 'Question', purpose: 'To cook', required: false },
        })),
      )
      const questionAnswers = Object.fromEntries(questions.map(({ id }) => [id, 'Yes']))
      const attendees = [{ values: { 'Full Name': 'Ada' }, questionAnswers }]
      await site.signUp(['Ada'], { attendees })
      let latest = ''
      for (const { days, minutes } of cronRuns) {
        const now = Date.parse(addDays(lastDay, days)) + minutes * 60_000
        const today = londonDate.format(now)
        if (today > latest) latest = today
        await deleteOldSignUps(env, now)
        const isOver = latest > addDays(lastDay, 30)
        const stored = await rows(
          'SELECT question_answers FROM sign_ups WHERE organisation_id = ?',
          site.id,
        )
        const answers = stored.map(({ question_answers }) => JSON.parse(String(question_answers)))
        const needed = questions.filter(({ deleteAfter }) => deleteAfter >= latest)
        expect([now, answers]).toEqual([
          now,
          isOver ? [] : [Object.fromEntries(needed.map(({ id }) => [id, 'Yes']))],
        ])
        const [booking] = await site.bookings()
        expect(booking.userName).toBe(isOver ? '' : 'Ada')
      }
    }),
    runs(5),
  )
})
