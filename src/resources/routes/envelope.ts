import { isObject } from '../../model/json.ts'
import type { Resource } from './resource.ts'

/** Returns the record in the envelope of a `GET` response; any other body is the record itself. */
export function removeEnvelope(
  { singular, kind }: Resource,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const { [singular]: record, schemaInfo, ...otherProperties } = body
  if (!isObject(record) || Object.keys(otherProperties).length > 0) return body
  // A schema may have a group of fields with the name of the envelope, such as member.name.
  const isAnswer = kind ? Array.isArray(record.fields) : schemaInfo === undefined
  return isAnswer ? record : body
}
