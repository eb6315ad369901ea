/**
 * A request of a history and its answer; `sent` and `answered` are places in the order of all such moments. A request
 * whose answer does not tell whether it was served is answered at `neverAnswered`.
 */
export type Exchange<Request, Answer> = {
  request: Request
  answer: Answer
  sent: number
  answered: number
}

export const neverAnswered = Number.POSITIVE_INFINITY

/** Returns the state after a request with this answer; undefined if the answer is impossible. */
type Step<Request, Answer, State> = (
  state: State,
  request: Request,
  answer: Answer,
) => State | undefined

/**
 * Returns whether the requests could have been served one after the other, each at a moment between
 * its being sent and answered. Tries every order that respects those moments. Requests that were never answered may
 * have been served at any later moment, or not at all.
 */
export function isLinearisable<Request, Answer, State>(
  history: readonly Exchange<Request, Answer>[],
  initial: State,
  step: Step<Request, Answer, State>,
): boolean {
  const failed = new Set<string>()
  const canServe = (left: readonly number[], state: State): boolean => {
    const exchanges = left.flatMap((index) => history[index] ?? [])
    if (exchanges.every(({ answered }) => answered === neverAnswered)) return true
    const key = JSON.stringify([left, state])
    if (failed.has(key)) return false
    const firstAnswered = Math.min(...exchanges.map(({ answered }) => answered))
    const isServed = left.some((index) => {
      const exchange = history[index]
      if (!exchange || exchange.sent > firstAnswered) return false
      const next = step(state, exchange.request, exchange.answer)
      const others = left.filter((other) => other !== index)
      return next !== undefined && canServe(others, next)
    })
    if (!isServed) failed.add(key)
    return isServed
  }
  return canServe([...history.keys()], initial)
}
