import type { Kind } from '../model/schema.ts'
import type { Layout } from './layout.ts'
import type { LinkedTo } from './linked.ts'

/** All that is kept of a person (additions 5), as far as whoever asks sees it. */
export type Everything = LinkedTo & {
  kind: Kind
  id: string
  organisation: string
  /** When it was taken. */
  at: string
  /** Their record as it is kept, as JSON text, and what its fields are. */
  document: string
  layout: Layout
  /** The members of the answer with them alone, as JSON texts. */
  shown: Record<string, string>
  /** The values of fields that the schema has no more. */
  otherValues: Record<string, unknown>
}
