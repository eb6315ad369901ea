import type { View } from '../limits/view.ts'
import type { Checked } from '../model/checked.ts'
import type { Kind, Schema, Values } from '../model/schema.ts'
import type { Written } from '../store/put.ts'
import type { Rules } from './rules.ts'

/** A collection as its records are written: what they are called, whose schema their rules need, if any's, and these. */
export type Target = {
  name: string
  plural: string
  singular: string
  /** The property that holds a record's id. */
  id: string
  kind?: Kind | undefined
  /** The rules by the whole schema, for who has this view; for whoever sees everything unless told. */
  rules(schema: Schema, organisationId: string, view?: View): Rules
}

/** A record that is to be written. */
export type Intent = {
  id: string
  /** What its faults are named below: '' or its place in a list, such as 'events.3.'. */
  place: string
  /** What it becomes in place of the one kept so far, or everything that is wrong with it. */
  check(by: { rules: Rules; schema: Schema; view: View }, before?: Values): Checked<Written>
}
