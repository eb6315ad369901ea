import { isSameJson, setProperty, valueAt } from '../../model/json.ts'
import type { Property } from '../../model/properties/compile.ts'

type Values = Readonly<Record<string, unknown>>

/** A property with its values before and after a change. */
export type Difference<Shown extends Property = Property> = {
  property: Shown
  from: unknown
  to: unknown
}

/** The properties with different values in two documents of a record. */
export const compareDocuments = <Shown extends Property>(
  properties: readonly Shown[],
  before: Values,
  after: Values,
): Difference<Shown>[] =>
  properties
    .map((property) => ({
      property,
      from: valueAt(before, property.path),
      to: valueAt(after, property.path),
    }))
    .filter(({ from, to }) => !isSameJson(from ?? null, to ?? null))

/**
 * Plans to take back a change: the patch sets each value from before the change, unless the property
 * changed again since. Those properties are returned as `conflicts`.
 */
export function planUndo<Shown extends Property>(
  differences: readonly Difference<Shown>[],
  current: Values,
): { patch: Values; undone: Shown[]; conflicts: Difference<Shown>[] } {
  const isUnchanged = ({ property, to }: Difference<Shown>) =>
    isSameJson(to ?? null, valueAt(current, property.path) ?? null)
  const unchanged = differences.filter(isUnchanged)
  const conflicts = differences.filter((difference) => !isUnchanged(difference))
  const patch: Record<string, unknown> = {}
  for (const { property, from } of unchanged) setProperty(patch, property.path, from ?? null)
  return { patch, undone: unchanged.map(({ property }) => property), conflicts }
}
