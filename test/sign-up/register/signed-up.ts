import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { signUps } from '../../../src/store/sign-up-tables.ts'
import { newWriter } from '../../resources/writing.ts'

/** The person of a sign-up; the contact is another person, if named. */
type SignedUp = {
  userName: string
  answers?: Record<string, unknown>
  contact?: { name: string; email: string }
  questionAnswers?: Record<string, string>
  booking?: Record<string, unknown>
}

/** A time so many days from now. */
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** An organisation with an event, and functions to book it as the public pages do and to mark bookings. */
export async function newRegister(fields?: object[], start = '2026-03-04T12:00:00.000Z') {
  const writer = await newWriter(fields)
  const { id: organisationId, send } = writer
  await send('PUT', '/events/event', {
    name: 'Lunch',
    start,
    end: new Date(Date.parse(start) + 7_200_000).toISOString(),
    attendees: 17,
  })
  let count = 0
  return {
    ...writer,
    /** Books and returns the id of the booking. */
    async signUp({
      userName,
      answers,
      contact,
      questionAnswers = {},
      booking,
    }: SignedUp): Promise<string> {
      const bookingId = `booking-${++count}`
      const response = await send('PUT', `/bookings/${bookingId}`, {
        eventId: 'event',
        userName,
        userStatus: 'confirmed',
        attending: true,
        bookingType: 'individual',
        ...booking,
      })
      if (response.status !== 201) throw new Error(await response.text())
      if (answers)
        await drizzle(env.DB)
          .insert(signUps)
          .values({
            organisationId,
            bookingId,
            personHash: bookingId,
            eventId: String(booking?.eventId ?? 'event'),
            contact: JSON.stringify(contact ?? {}),
            answers: JSON.stringify(answers),
            questionAnswers: JSON.stringify(questionAnswers),
            deleteAfter: '2026-04-03',
          })
      return bookingId
    },
    async mark(bookingId: string, mark: object, headers?: Record<string, string>) {
      const response = await send('POST', `/bookings/${bookingId}/$attendance`, mark, headers)
      return { status: response.status, body: await response.json<MarkResponse>() }
    },
    booking: async (bookingId: string) => (await readOne(`/bookings/${bookingId}`)).booking ?? {},
    attendees: async () => (await readOne('/events/event')).event?.attendees,
    members: async () =>
      (await writer.json<{ members: { memberId: string }[] }>('/members')).members,
  }

  function readOne(path: string) {
    return writer.json<Record<string, Record<string, unknown>>>(path)
  }
}

type MarkResponse = {
  message?: string
  booking: { bookingId: string; memberId: string; orgStatus: string; attending: boolean }
  likelyMembers?: { memberId: string; same: string[] }[]
}
