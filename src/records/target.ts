import type { AccessPolicy } from '../access/access-policy.ts'
import type { Kind, Schema, Values } from '../model/properties/schema.ts'
import type { Validated } from '../model/validation-error.ts'
import type { NewDocument } from '../store/write/put.ts'
import type { Rules } from './rules.ts'

/**
 * How to write records of a collection: names for messages, the person kind if it has a schema, and
 * the rules.
 */
export type RecordType = {
  name: string
  plural: string
  singular: string
  /** The property that holds a record's id. */
  id: string
  kind?: Kind | undefined
  /**
   * Returns the rules by the complete schema for a view; without a view, for a caller who sees
   * everything.
   */
  rules(schema: Schema, organisationId: string, view?: AccessPolicy): Rules
}

export type PlannedWrite = {
  id: string
  /** The prefix of its error fields: '' or a place in a list, such as 'events.3.'. */
  path: string
  /** Validates the record and returns its document, or every error. */
  check(
    by: { rules: Rules; schema: Schema; view: AccessPolicy },
    before?: Values,
  ): Validated<NewDocument>
}

/** Checks a record and that its id, if any, is the one in the path. */
export function checkWithId(
  { id: idName }: RecordType,
  id: string,
  input: Record<string, unknown>,
  check: (input: Record<string, unknown>) => Validated<NewDocument>,
): Validated<NewDocument> {
  if (!Object.hasOwn(input, idName) || input[idName] === id)
    return check({ ...input, [idName]: id })
  const checked = check({ ...input, [idName]: id })
  const fault = {
    field: idName,
    message: 'must be the one in the path.',
    code: 'read_only' as const,
  }
  return { errors: [fault, ...('errors' in checked ? checked.errors : [])] }
}
