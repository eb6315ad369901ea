import { valueAt } from '../../model/json.ts'
import type { Validated } from '../../model/validation-error.ts'
import type { NewDocument } from '../../store/write/put.ts'
import type { Parent } from './parents.ts'
import type { ImportTarget } from './target.ts'

/** A target that rejects records without their parent, such as bookings without an event. */
export function requireParent(target: ImportTarget, { path }: Parent): ImportTarget {
  const checkParent = (result: Validated<NewDocument>): Validated<NewDocument> =>
    'errors' in result || valueAt(JSON.parse(result.value.document), path.split('.'))
      ? result
      : { errors: [{ field: path, message: missingEvent, code: 'required' }] }
  return {
    ...target,
    check: (input, before) => checkParent(target.check(input, before)),
    merge: (before, patch) => checkParent(target.merge(before, patch)),
  }
}

/** The question about bookings without an event. */
export const eventQuestion = 'Which event was this for?'

const missingEvent = `has no event. ${eventQuestion}`
