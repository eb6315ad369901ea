import { isObject } from '../../model/is-object.ts'
import type { Resource } from './resource.ts'

/** Returns the record of a body that is the whole answer of a `GET`, with the `schemaInfo` of people; any other body is the record itself. */
export function removeEnvelope(
  { singular, kind }: Resource,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const { [singular]: record, schemaInfo, ...otherProperties } = body
  if (!isObject(record) || Object.keys(otherProperties).length > 0) return body
  // A schema may group its fields by the name of the envelope, such as member.name.
  const isAnswer = kind ? Array.isArray(record.fields) : schemaInfo === undefined
  return isAnswer ? record : body
}
