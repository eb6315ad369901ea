import type * as z from 'zod'
import type { QueryContract } from '../http/contract.ts'
import { words } from '../model/words.ts'
import type { Target } from '../records/target.ts'
import type { Beside, Single } from '../store/single.ts'

/** A collection as requests for one of its records see it. */
export type Subject = Target & {
  /** What is documented of the request for one. */
  about: { summary: string; description: string }
  /** What to find beside a record to show it. */
  sought: Beside
  /** The answer with one record. */
  answer: z.ZodObject
  /** What it may be asked with. */
  query: QueryContract<z.ZodType<{ profileFields?: string | undefined }>>
  /** What a record is in a request's body. */
  given: z.ZodType
  /** The members of the answer with one record, as JSON texts. */
  show(one: Shown): Record<string, string>
}

/** A record to be shown, whose document there is. */
export type Shown = {
  id: string
  organisationId: string
  document: string
  found: Single
  profileFields: string | undefined
}

/** What is documented of the path of one record. */
export const pathOf = ({ id, name }: Subject) => ({
  [id]: {
    description: `The ${id} of one of the ${words(name)}.`,
    example: id.replace(/Id$/, '-1'),
  },
})
