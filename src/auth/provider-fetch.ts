const pause = 1000

/** When asking an address last failed, by address. */
const failures = new Map<string, number>()

const mostAtOnce = 10

/** How many fetches from an address are under way, by address. */
const asking = new Map<string, number>()

/** Fetches from the identity provider, but not within a second of a failure, and ten times at once at most: whoever sends tokens must not make us press a provider that is down or slow. */
export async function providerFetch(address: string, options: RequestInit): Promise<Response> {
  if (Date.now() - (failures.get(address) ?? Number.NEGATIVE_INFINITY) < pause) {
    throw new Error('It failed less than a second ago.')
  }
  const underWay = asking.get(address) ?? 0
  if (underWay >= mostAtOnce) throw new Error('It is being asked already.')
  asking.set(address, underWay + 1)
  try {
    const answer = await fetch(address, options)
    if (!answer.ok) failures.set(address, Date.now())
    return answer
  } catch (error) {
    failures.set(address, Date.now())
    throw error
  } finally {
    asking.set(address, (asking.get(address) ?? 1) - 1)
  }
}
