const pause = 1000

/** When asking an address last failed, by address. */
const failures = new Map<string, number>()

/** Fetches from the identity provider, but not within a second of a failure: whoever sends tokens must not make us press a provider that is down. */
export async function providerFetch(address: string, options: RequestInit): Promise<Response> {
  if (Date.now() - (failures.get(address) ?? Number.NEGATIVE_INFINITY) < pause) {
    throw new Error('It failed less than a second ago.')
  }
  try {
    const answer = await fetch(address, options)
    if (!answer.ok) failures.set(address, Date.now())
    return answer
  } catch (error) {
    failures.set(address, Date.now())
    throw error
  }
}
