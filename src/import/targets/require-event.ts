import type { Validated } from '../../model/validation-error.ts'
import type { NewDocument } from '../../store/write/put.ts'
import type { ImportTarget } from './target.ts'

/** A target that rejects bookings without an event: bookings of two events could overwrite each other. */
export function requireEvent(target: ImportTarget): ImportTarget {
  const checkEvent = (result: Validated<NewDocument>): Validated<NewDocument> =>
    'errors' in result || JSON.parse(result.value.document).eventId
      ? result
      : { errors: [{ field: 'eventId', message: missingEvent, code: 'required' }] }
  return {
    ...target,
    check: (input, before) => checkEvent(target.check(input, before)),
    merge: (before, patch) => checkEvent(target.merge(before, patch)),
  }
}

/** The question about bookings without an event. */
export const eventQuestion = 'Which event was this for?'

const missingEvent = `has no event. ${eventQuestion}`
