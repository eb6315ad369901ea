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

/** Faults in one sentence each, named by their fields; of many the first hundred, and how many more there are. */
export function sentence(faults: readonly Fault[]): string {
  const told = faults.slice(0, mostTold).map(({ field, reason }) => {
    const name = field.length > mostOfName ? `${field.slice(0, mostOfName)}…` : field
    return name ? `${name}: ${reason}` : reason
  })
  const more = faults.length - told.length
  return [...told, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')
}

const mostTold = 100
const mostOfName = 256
