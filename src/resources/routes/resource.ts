import type { AccessPolicy } from '../../access/access-policy.ts'
import type { QueryContract } from '../../http/query.ts'
import { collectionTitle } from '../../model/collection.ts'
import { isObject } from '../../model/json.ts'
import type { RecordType } from '../../records/rules.ts'
import type { Related, Single } from '../../store/read/single.ts'

/** A collection with its contracts for single records. */
export type Resource = RecordType & {
  /** The documentation of the single `GET`. */
  documentation: {
    operationId: string
    summary: string
    description: string
    /** The description of the record in the response. */
    recordDescription: string
    isAddition?: boolean
  }
  /** The related data that a response needs. */
  related: Related
  /** The query of requests for one record. */
  query: QueryContract<{ profileFields?: string | undefined }>
  /** The properties of the response as JSON texts. */
  render(record: RenderInput): Record<string, string>
}

/** A record to render. */
type RenderInput = {
  id: string
  organisationId: string
  document: string
  single: Single
  profileFields: string | undefined
}

/** Whether a response with one record also depends on a schema, another record or restrictions. */
export const dependsOnOtherData = ({ related }: Pick<Resource, 'related'>, policy: AccessPolicy) =>
  related.schema !== undefined || policy.isRestricted

/** A function that redacts a structured record. The schema that a policy shows redacts people. */
export const redactorOf = ({ name, related: { record } }: Resource, policy: AccessPolicy) =>
  record ? policy.redactor(name, () => record) : (document: string) => document

/** The documentation of the id in the path. */
export const pathParameters = ({ id, name }: Resource) => ({
  [id]: {
    description: `The ${id} of one of the ${collectionTitle(name)}.`,
    example: id.replace(/Id$/, '-1'),
  },
})

/** Unwraps the record from the body of a `GET` response. Returns any other body unchanged. */
export function removeEnvelope(
  { singular, kind }: Resource,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const { [singular]: record, schemaInfo, ...otherProperties } = body
  if (!isObject(record) || Object.keys(otherProperties).length > 0) return body
  // A schema may have a group of fields with the name of the envelope, such as member.name.
  const isEnvelope = kind ? Array.isArray(record.fields) : schemaInfo === undefined
  return isEnvelope ? record : body
}
