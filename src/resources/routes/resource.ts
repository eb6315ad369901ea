import type * as z from 'zod'
import type { QueryContract } from '../../http/contract.ts'
import { collectionTitle } from '../../model/collection-title.ts'
import type { RecordType } from '../../records/target.ts'
import type { Related, Single } from '../../store/read/single.ts'

/** A collection as requests for one of its records see it. */
export type Resource = RecordType & {
  /** What is documented of the request for one. */
  documentation: { summary: string; description: string; isAddition?: boolean }
  /** What to find beside a record to show it. */
  related: Related
  /** The answer with one record. */
  responseType: z.ZodObject
  /** What it may be asked with. */
  query: QueryContract<z.ZodType<{ profileFields?: string | undefined }>>
  /** What a record is in a request's body. */
  inputType: z.ZodType
  /** The members of the answer with one record, as JSON texts. */
  render(record: RenderInput): Record<string, string>
}

/** A record to be shown, whose document there is. */
export type RenderInput = {
  id: string
  organisationId: string
  document: string
  single: Single
  profileFields: string | undefined
}

/** What is documented of the path of one record. */
export const pathParameters = ({ id, name }: Resource) => ({
  [id]: {
    description: `The ${id} of one of the ${collectionTitle(name)}.`,
    example: id.replace(/Id$/, '-1'),
  },
})
