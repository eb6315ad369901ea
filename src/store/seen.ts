import type * as z from 'zod'
import type { View } from '../limits/view.ts'
import type { Change } from './changes.ts'

/** Documents of a collection, of a type, as they are seen. */
export function seenBy(
  view: View,
  collection: string,
  type: z.ZodObject,
): (document: string) => string {
  const kept = view.kept(collection, type)
  return kept
    ? (document) => JSON.stringify(kept.shown(JSON.parse(document)))
    : (document) => document
}

/** What the records of a structured collection are; undefined of people. */
export type RecordOf = (collection: string) => Promise<z.ZodObject | undefined>

/** A change with its record as it is seen. */
export async function seenChange(view: View, change: Change, recordOf: RecordOf): Promise<Change> {
  const { collection, document, member } = change
  if (document === undefined || !view.isPart) return change
  const type = await recordOf(collection)
  return {
    ...change,
    document: type ? seenBy(view, collection, type)(document) : document,
    member: type && seenMember(view, type, member),
  }
}

/** The member that a booking is for, as far as the view shows who that is. */
export const seenMember = (view: View, booking: z.ZodObject, member: string | undefined) =>
  view.sees('members') && view.linksMembers(booking) ? member : undefined
