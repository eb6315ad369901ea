import type { Fault } from '../model/checked.ts'

/** Faults by the field of the form that they are shown at. */
export function faultsByField(faults: readonly Fault[], fieldOf = firstOf): Record<string, string> {
  const fields = Map.groupBy(faults, ({ field }) => fieldOf(field))
  return Object.fromEntries(
    [...fields].map(([field, all]) => [field, all.map(({ reason }) => reason).join(' ')]),
  )
}

const firstOf = (path: string) => path.split('.')[0] ?? ''
