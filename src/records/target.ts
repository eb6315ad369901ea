import type { AccessPolicy } from '../access/access-policy.ts'
import type { Kind, Schema, Values } from '../model/schema.ts'
import type { Validated } from '../model/validation-error.ts'
import type { NewDocument } from '../store/write/put.ts'
import type { Rules } from './rules.ts'

/** A collection as its records are written: what they are called, whose schema their rules need, if any's, and these. */
export type RecordType = {
  name: string
  plural: string
  singular: string
  /** The property that holds a record's id. */
  id: string
  kind?: Kind | undefined
  /** The rules by the whole schema, for who has this view; for whoever sees everything unless told. */
  rules(schema: Schema, organisationId: string, view?: AccessPolicy): Rules
}

/** A record that is to be written. */
export type PlannedWrite = {
  id: string
  /** What its errors are named below: '' or its place in a list, such as 'events.3.'. */
  path: string
  /** What it becomes in place of the one kept so far, or everything that is wrong with it. */
  check(
    by: { rules: Rules; schema: Schema; view: AccessPolicy },
    before?: Values,
  ): Validated<NewDocument>
}
