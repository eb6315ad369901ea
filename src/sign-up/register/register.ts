import { personName } from '../../model/properties/person-name.ts'
import { type Field, parseStoredSchema } from '../../model/properties/schema.ts'
import { parseDocument } from '../../records/person.ts'
import {
  maxRegisterBookings,
  readStoredRegister,
  type StoredRegister,
} from '../../store/sign-up/register.ts'
import type { Store } from '../../store/store.ts'
import type { SignUpField } from '../form.ts'
import type { EventDocument } from '../public-events.ts'
import { type BookingValues, isVolunteer, type MarkStatus, markOf } from './attendance.ts'
import { openRegister } from './open-register.ts'
import { walkInFields } from './walk-in.ts'

/** The register of an event. */
export type Register = {
  event: EventDocument
  /** The members' fields that a walk-in fills. */
  walkInFields: readonly SignUpField[]
  entries: RegisterEntry[]
  /** Whether the event has more bookings than a register shows. */
  isCut: boolean
}

/** One booking on a register. */
export type RegisterEntry = {
  bookingId: string
  name: string
  memberId: string
  mark: MarkStatus | undefined
  /** Whether the person has a place, waits for one or gave it up. */
  place: 'held' | 'waiting' | 'given up'
  isVolunteer: boolean
  /** The name of the person who booked for this one. */
  bookedBy: string | undefined
  /** The answers to the event's own questions. */
  answers: { label: string; answer: string }[]
}

/** Reads the register of an event, sorted by name. Throws 404 for an event without a register that the caller takes. */
export async function readRegister(store: Store, eventId: string): Promise<Register> {
  const { form: stored, bookings } = await readStoredRegister(store, eventId)
  const form = openRegister(store, stored)
  const { fields } = parseStoredSchema(stored.schema)
  const labels = new Map(form.questions.map(({ id, label }) => [id, label]))
  const names = new Intl.Collator('en-GB')
  return {
    event: form.event,
    walkInFields: walkInFields(stored),
    isCut: bookings.length === maxRegisterBookings,
    entries: bookings
      .map((booking) => toEntry(booking, fields, labels))
      .toSorted((one, other) => names.compare(one.name, other.name)),
  }
}

function toEntry(
  { id, document, contact, questionAnswers, member, waits }: StoredRegister['bookings'][number],
  fields: readonly Field[],
  labels: ReadonlyMap<string, string>,
): RegisterEntry {
  const booking: BookingValues = JSON.parse(document)
  const bookedBy: string = JSON.parse(contact ?? '{}').name ?? ''
  const { userName, memberId, attending } = booking
  const name = userName || (member === undefined ? '' : personName(fields, parseDocument(member)))
  const answers: Record<string, string> = JSON.parse(questionAnswers ?? '{}')
  const mark = markOf(booking)
  return {
    bookingId: id,
    name: name || 'No name',
    memberId,
    mark,
    place: attending || mark ? 'held' : waits ? 'waiting' : 'given up',
    isVolunteer: isVolunteer(booking),
    bookedBy: bookedBy === userName || bookedBy === '' ? undefined : bookedBy,
    answers: Object.entries(answers).flatMap(([question, answer]) => {
      const label = labels.get(question)
      return label === undefined ? [] : [{ label, answer }]
    }),
  }
}
