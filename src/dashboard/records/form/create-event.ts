import { maxBodyBytes } from '../../../http/body.ts'
import { invalidField } from '../../../model/api-error.ts'
import { toRecurrence } from '../../../model/repetition.ts'
import type { Records } from '../../../records/records.ts'
import type { RecordType } from '../../../records/rules.ts'
import type { ShownValues } from '../../collection/collection-info.ts'
import type { FieldValues } from '../../ui/form-values.ts'
import { readAskedQuestions } from './asked-questions.tsx'
import { timesOn } from './event-time.tsx'
import { parseRepetition } from './repetition-question.tsx'

const noRecurrence = { type: 'none', recurring: false, rrule: '' }

/**
 * Creates an event with its questions and returns its id. A form with a repetition makes a series: an event with a recurrence, and an
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
  const id = crypto.randomUUID()
  const inputs =
    repetition && 'days' in repetition
      ? [
          { ...event, eventId: id, recurrence: toRecurrence(repetition.first, repetition) },
          ...buildDates(event, id, repetition.days, submitted),
        ]
      : [{ ...event, eventId: id, recurrence: noRecurrence }]
  if (JSON.stringify(inputs).length > maxBodyBytes)
    throw invalidField('bookingDetails.description', 'too_long', 'is too long for so many dates.')
  const asked = readAskedQuestions(submitted)
  await records.upsertBatch(type, inputs, {
    questions: asked.length > 0 ? { eventId: id, questions: JSON.stringify(asked) } : undefined,
  })
  return id
}

/** Builds the dates of a series on some days, with the values of the series and the times on a form. */
export const buildDates = (
  shared: ShownValues,
  seriesId: string,
  days: readonly string[],
  submitted: FieldValues,
): ShownValues[] =>
  days.map((day) => ({
    ...shared,
    ...timesOn(day, submitted),
    eventId: crypto.randomUUID(),
    parentEventId: seriesId,
    recurrence: noRecurrence,
  }))
