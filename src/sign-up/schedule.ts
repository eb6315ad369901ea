import { openMail } from '../mail/mail.ts'
import { londonDay } from '../model/timestamp.ts'
import type { Bindings } from '../platform/bindings.ts'
import { tolerate } from '../platform/log.ts'
import {
  deleteQuestionAnswers,
  deleteSignUp,
  findOldSignUps,
  type OldSignUp,
} from '../store/sign-up/old-sign-ups.ts'
import {
  type EventOfOrganisation,
  findEndedHolds,
  lapseBookings,
  takeEventsWithWaiting,
} from '../store/sign-up/schedule.ts'
import { deleteOldCounts } from '../store/sign-up/sent-mail.ts'
import { deleteOldDrafts } from '../store/sign-up/sign-up-drafts.ts'
import { trustedStore } from '../store/trusted-store.ts'
import { lastDayOfData, parseQuestions } from './deletion-days.ts'
import { finishSignUps } from './sign-up-by-mail.ts'
import { offerFreePlaces } from './waiting-list.ts'

const minuteMs = 60_000

/** Runs each minute: frees places, finishes sign-ups, offers free places and deletes old data, in parts. */
export async function runSignUps(env: Bindings, now: number): Promise<void> {
  await lapseHolds(env, now)
  await deleteOldDrafts(env.DB, new Date(now).toISOString())
  await finishSignUps(env, now)
  // Staff and imports free places too, and nobody waits long for the next look.
  if (Math.floor(now / minuteMs) % 5 === 0)
    await offerEach(env, await takeEventsWithWaiting(env.DB, new Date(now).toISOString()))
  await deleteOldSignUps(env, now)
  await deleteOldCounts(env.DB, new Date(now).toISOString().slice(0, 10))
}

/** Frees the places that nobody confirmed or accepted in time, and offers them to the next. */
export async function lapseHolds(env: Bindings, now: number): Promise<void> {
  const time = new Date(now).toISOString()
  const ended = await findEndedHolds(env.DB, time)
  const groups = Map.groupBy(ended, ({ organisationId }) => organisationId)
  for (const [organisationId, bookings] of groups)
    await tolerate('sign-ups', { organisation: organisationId }, async () => {
      const ids = bookings.map(({ bookingId }) => bookingId)
      await lapseBookings(openStore(env, organisationId), ids, time)
    })
  await offerEach(env, ended)
}

async function offerEach(env: Bindings, events: readonly EventOfOrganisation[]): Promise<void> {
  const mail = openMail(env)
  const distinct = new Map(
    events.map((event) => [JSON.stringify([event.organisationId, event.eventId]), event]),
  )
  for (const { organisationId, eventId } of distinct.values())
    await tolerate('sign-ups', { organisation: organisationId }, () =>
      offerFreePlaces({ store: openStore(env, organisationId), mail }, eventId),
    )
}

/**
 * Deletes answers to questions after the day that each question states, and 30 days after the event
 * the rest of a sign-up, with the details in the bookings of people who did not come.
 */
export async function deleteOldSignUps(env: Pick<Bindings, 'DB'>, now: number): Promise<void> {
  const today = londonDay(now)
  for (const signUp of await findOldSignUps(env.DB, today))
    await tolerate('sign-ups', { organisation: signUp.organisationId }, () =>
      deleteOldData(env, signUp, today),
    )
}

async function deleteOldData(env: Pick<Bindings, 'DB'>, signUp: OldSignUp, today: string) {
  const { organisationId, bookingId } = signUp
  const store = openStore(env, organisationId)
  const lastDay = lastDayOfData(signUp)
  if (lastDay < today) return deleteSignUp(store, bookingId)
  const questions = parseQuestions(signUp, signUp.questions)
  const needed = questions.filter(({ deleteAfter }) => deleteAfter >= today)
  const neededIds = new Set(needed.map(({ id }) => id))
  const answered = Object.keys(JSON.parse(signUp.questionAnswers))
  const days = [lastDay, ...needed.map(({ deleteAfter }) => deleteAfter)]
  await deleteQuestionAnswers(store, bookingId, {
    questionIds: answered.filter((id) => !neededIds.has(id)),
    deleteAfter: days.toSorted()[0] ?? lastDay,
  })
}

const openStore = ({ DB }: Pick<Bindings, 'DB'>, organisationId: string) =>
  trustedStore(DB, organisationId, { by: 'public page' })
