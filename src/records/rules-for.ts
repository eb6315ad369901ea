import type { AccessPolicy } from '../access/access-policy.ts'
import type { Schema } from '../model/properties/schema.ts'
import { personRules } from './person-rules.ts'
import { recordRules } from './record-rules.ts'
import type { RecordType, Rules } from './rules.ts'

/**
 * The rules of a collection under an access policy; without one, the caller sees everything.
 * `schema` is the complete schema of people.
 */
export const rulesFor = (
  type: RecordType,
  schema: Schema,
  organisationId: string,
  policy?: AccessPolicy,
): Rules =>
  type.kind
    ? personRules(type.kind, schema, policy)
    : recordRules(type.collection, organisationId, policy)
