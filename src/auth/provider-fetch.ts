const pauseMs = 1000

/** When asking an address last failed, by address. */
const lastFailures = new Map<string, number>()

const maxConcurrent = 10

/** How many fetches from an address are under way, by address. */
const openRequests = new Map<string, number>()

/** Fetches from the identity provider, but not within a second of a failure, and ten times at once at most: whoever sends tokens must not make us press a provider that is down or slow. */
export async function fetchFromProvider(address: string, options: RequestInit): Promise<Response> {
  if (Date.now() - (lastFailures.get(address) ?? Number.NEGATIVE_INFINITY) < pauseMs) {
    throw new Error('It failed less than a second ago.')
  }
  const openCount = openRequests.get(address) ?? 0
  if (openCount >= maxConcurrent) throw new Error('It is being asked already.')
  openRequests.set(address, openCount + 1)
  try {
    const response = await fetch(address, options)
    if (!response.ok) lastFailures.set(address, Date.now())
    return response
  } catch (error) {
    lastFailures.set(address, Date.now())
    throw error
  } finally {
    openRequests.set(address, (openRequests.get(address) ?? 1) - 1)
  }
}
