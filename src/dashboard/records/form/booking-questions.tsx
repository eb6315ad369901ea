import type { Context } from 'hono'
import { personName } from '../../../model/properties/person-name.ts'
import { typeHolds } from '../../../model/properties/recognise.ts'
import { toLondon } from '../../../model/timestamp.ts'
import { findSeries } from '../../../store/sign-up/series.ts'
import { loadValues } from '../../collection/choices.ts'
import { describeCollection, type ShownValues } from '../../collection/collection-info.ts'
import { Picker } from '../../collection/picker.tsx'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { textOf } from '../../ui/form-values.ts'
import { choiceQuestion, readProperty, toChanges } from './choice-question.tsx'
import type { RecordQuestion } from './question.ts'

const event = '$event'
const statusName = '$status'

/** The question for the event or the date of a series that a booking is for. */
export const bookedEvent: RecordQuestion = {
  label: 'Event',
  names: [event],
  properties: ['eventId', 'childEventId'],
  collection: 'events',
  read: ({ eventId, childEventId }) => ({ [event]: String(childEventId || eventId || '') }),
  async parse({ c, submitted }) {
    const id = textOf(submitted, event)
    if (id === '') return { errors: { [event]: 'Choose the event' } }
    const values = await loadValues(c, await describeCollection(c, 'events'), id)
    if (!values) return { errors: { [event]: 'Choose an event that exists' } }
    const series = await findSeries(c.var.store, [id])
    if (series.has(id)) return { errors: { [event]: 'Choose one of its dates' } }
    return { changes: toChanges(describeEvent(id, values)) }
  },
  Control: ({ c, errors, chosen, search }) => (
    <Picker
      c={c}
      name={event}
      label="Event"
      collection="events"
      chosen={chosen}
      search={search}
      error={errors[event]}
    />
  ),
}

/** The properties of a booking that repeat those of its event. */
function describeEvent(id: string, { parentEventId, name, start, end }: ShownValues) {
  const minutes = (Date.parse(String(end)) - Date.parse(String(start))) / 60_000
  return {
    eventId: parentEventId || id,
    childEventId: parentEventId ? id : null,
    name: name ?? '',
    date: typeof start === 'string' ? toLondon(start).slice(0, 10) : null,
    start: start ?? null,
    end: end ?? null,
    duration: Number.isFinite(minutes) ? minutes : null,
  }
}

const status = choiceQuestion({
  name: statusName,
  label: 'Status',
  options: [
    { value: 'booked', label: 'Booked', sets: { userStatus: 'confirmed', attending: true } },
    {
      value: 'waiting',
      label: 'On the waiting list',
      sets: { userStatus: 'waiting', attending: false },
    },
    { value: 'cancelled', label: 'Cancelled', sets: { userStatus: 'cancelled', attending: false } },
    { value: 'came', label: 'Came', sets: { orgStatus: 'attended', attending: true } },
    { value: 'absent', label: 'Did not come', sets: { orgStatus: 'absent', attending: false } },
  ],
  read(values) {
    if (values.orgStatus === 'attended') return 'came'
    if (values.orgStatus === 'absent') return 'absent'
    if (values.userStatus === 'waiting') return 'waiting'
    return readProperty(values, 'attending') === true ? 'booked' : 'cancelled'
  },
})

const isMark = (text: string) => text === 'came' || text === 'absent'

/** The question for the status of a booking, from both sides and with its mark on the register. */
export const bookingStatus: RecordQuestion = {
  ...status,
  async parse(answer) {
    const result = await status.parse(answer)
    const takesMarkBack =
      isMark(textOf(answer.rendered, statusName)) && !isMark(textOf(answer.submitted, statusName))
    if ('errors' in result || !takesMarkBack) return result
    return { changes: [...result.changes, { path: ['orgStatus'], value: '' }] }
  },
}

/** Adds the name and email address of its member to a new booking that lacks them. */
export async function completeBooking(
  c: Context<DashboardEnv>,
  booking: ShownValues,
): Promise<ShownValues> {
  const memberId = String(booking.memberId ?? '')
  const members = await describeCollection(c, 'members')
  const member = memberId === '' ? undefined : await loadValues(c, members, memberId)
  const email = members.fields.find((field) => typeHolds('email', field))
  return {
    type: 'event',
    userStatus: 'confirmed',
    bookingType: member ? 'member' : 'individual',
    ...(member && { userName: personName(members.fields, member) }),
    ...(member && email && { userEmail: member[email.id] ?? '' }),
    ...booking,
  }
}
