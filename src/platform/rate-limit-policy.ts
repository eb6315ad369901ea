/** A limit: at most `max` in `seconds`. */
export type Limit = { max: number; seconds: number }

const patterns = {
  credential: /"credential";q=(\d+);w=(\d+)/,
  rows: /"rows";q=(\d+);w=(\d+)/,
}

type Limits = Partial<Record<keyof typeof patterns, Limit>>

// The policy is a setting of the Worker, so it is parsed once instead of by every request.
let parsed: { policy: string; limits: Limits } | undefined

/** A limit by its name from the value of the RateLimit-Policy header; undefined if it has none. */
export function parseLimit(policy: string, name: keyof typeof patterns): Limit | undefined {
  if (parsed?.policy !== policy)
    parsed = {
      policy,
      limits: { credential: matchLimit(policy, 'credential'), rows: matchLimit(policy, 'rows') },
    }
  return parsed.limits[name]
}

function matchLimit(policy: string, name: keyof typeof patterns): Limit | undefined {
  const [, max, seconds] = patterns[name].exec(policy) ?? []
  return max && seconds ? { max: Number(max), seconds: Number(seconds) } : undefined
}

/** What remains of a limit, and the seconds until all of it is available again. */
export type Remainder = { left: number; seconds: number }

/** The value of the RateLimit header (draft-ietf-httpapi-ratelimit-headers-10). */
export const formatRemainders = (
  remainders: Readonly<Record<string, Remainder | undefined>>,
): string =>
  Object.entries(remainders)
    .flatMap(([name, remainder]) =>
      remainder ? `"${name}";r=${remainder.left};t=${remainder.seconds}` : [],
    )
    .join(', ')
