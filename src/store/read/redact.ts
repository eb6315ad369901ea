import type * as z from 'zod'
import type { AccessPolicy } from '../../access/access-policy.ts'
import type { Change } from './changes.ts'

/** Returns a function that redacts documents of a collection for an access policy. */
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

/** Returns the Zod type of a structured collection; undefined for people. */
export type RecordOf = (collection: string) => Promise<z.ZodObject | undefined>

/** Returns a change with its record redacted. */
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

/** Returns a booking's member, if the access policy shows who it is. */
export const visibleMember = (
  view: AccessPolicy,
  booking: z.ZodObject,
  member: string | undefined,
) => (view.allowsCollection('members') && view.showsBookingMember(booking) ? member : undefined)
