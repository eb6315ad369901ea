import type * as z from 'zod'
import type { AccessPolicy } from '../../access/access-policy.ts'
import type { Change } from './changes.ts'

/** Documents of a collection, of a type, as they are seen. */
export function redactor(
  view: AccessPolicy,
  collection: string,
  type: z.ZodObject,
): (document: string) => string {
  const kept = view.kept(collection, type)
  return kept
    ? (document) => JSON.stringify(kept.redact(JSON.parse(document)))
    : (document) => document
}

/** What the records of a structured collection are; undefined of people. */
export type RecordOf = (collection: string) => Promise<z.ZodObject | undefined>

/** A change with its record as it is seen. */
export async function redactChange(
  view: AccessPolicy,
  change: Change,
  recordOf: RecordOf,
): Promise<Change> {
  const { collection, document, member } = change
  if (document === undefined || !view.isRestricted) return change
  const type = await recordOf(collection)
  return {
    ...change,
    document: type ? redactor(view, collection, type)(document) : document,
    member: type && visibleMember(view, type, member),
  }
}

/** The member that a booking is for, as far as the view shows who that is. */
export const visibleMember = (
  view: AccessPolicy,
  booking: z.ZodObject,
  member: string | undefined,
) => (view.allowsCollection('members') && view.showsBookingMember(booking) ? member : undefined)
