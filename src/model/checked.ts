import type * as z from 'zod'

/** What is wrong with a field of what was given. */
export type Fault = { field: string; reason: string }

/** What was given as it is to be kept, or everything that is wrong with it. */
export type Checked<Kept> = { kept: Kept } | { faults: Fault[] }

/** The faults of a Zod error; a property that is not known is a fault of its own. */
export function faultsOf(error: z.core.$ZodError): Fault[] {
  return error.issues.flatMap((issue) => {
    const field = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return [{ field, reason: issue.message }]
    return issue.keys.map((key) => ({
      field: [...issue.path, key].join('.'),
      reason: 'is not a property here.',
    }))
  })
}

/** Faults in one sentence each, named by their fields. */
export const sentence = (faults: readonly Fault[]) =>
  faults.map(({ field, reason }) => (field ? `${field}: ${reason}` : reason)).join(' ')
