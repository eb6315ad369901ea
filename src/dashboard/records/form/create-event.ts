import { maxBodyBytes } from '../../../http/body.ts'
import { invalidField } from '../../../model/api-error.ts'
import { toRecurrence } from '../../../model/repetition.ts'
import type { Records } from '../../../records/records.ts'
import type { RecordType } from '../../../records/rules.ts'
import type { ShownValues } from '../../collection/collection-info.ts'
import type { FieldValues } from '../../ui/form-values.ts'
import { timesOn } from './event-time.tsx'
import { parseRepetition } from './repetition-question.tsx'

const noRecurrence = { type: 'none', recurring: false, rrule: '' }

/**
 * Creates an event and returns its id. A form with a repetition makes a series: an event with a recurrence, and an
 * occurrence for each day, which names the series as its parent. All are created or none. Throws 400 with every
 * validation error.
 */
export async function createEvent(
  records: Records,
  type: RecordType,
  event: ShownValues,
  submitted: FieldValues,
): Promise<string> {
  const repetition = parseRepetition(submitted)
  if (!repetition || 'errors' in repetition)
    return records.create(type, { ...event, recurrence: noRecurrence })
  const { first, days } = repetition
  const id = crypto.randomUUID()
  const series = { ...event, eventId: id, recurrence: toRecurrence(first, repetition) }
  const occurrences = days.map((day) => ({
    ...event,
    ...timesOn(day, submitted),
    eventId: crypto.randomUUID(),
    parentEventId: id,
    recurrence: noRecurrence,
  }))
  const inputs = [series, ...occurrences]
  if (JSON.stringify(inputs).length > maxBodyBytes)
    throw invalidField('bookingDetails.description', 'too_long', 'is too long for so many dates.')
  await records.upsertBatch(type, inputs)
  return id
}
