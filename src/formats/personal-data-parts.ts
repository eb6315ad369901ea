import type { Kind } from '../model/properties/schema.ts'
import type { LinkedRecords } from './linked-records.ts'
import type { PersonLayout } from './person-layout.ts'

/** All that is kept of a person (additions 5), as far as whoever asks sees it. */
export type PersonalData = LinkedRecords & {
  kind: Kind
  id: string
  organisation: string
  /** When it was taken. */
  at: string
  /** Their record as it is kept, as JSON text, and what its fields are. */
  document: string
  layout: PersonLayout
  /** The members of the answer with them alone, as JSON texts. */
  properties: Record<string, string>
  /** The values of fields that the schema has no more. */
  otherValues: Record<string, unknown>
}
