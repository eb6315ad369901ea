import { setTimeout } from 'node:timers/promises'
import * as z from 'zod'
import { Refusal } from '../terminal/refusal.ts'

/** The service that files are sent to, the organisation, and a key of it. */
export type Service = { url: string; organisationId: string; key: string | undefined }

/** A service whose address and key may be used. */
export type Reached = { address: URL; organisationId: string; key: string }

const mostAttempts = 5

/** A service as it can be asked; refused without a key, or at an address where others could read it. */
export function reached({ url, organisationId, key }: Service): Reached {
  if (!key) {
    throw new Refusal(
      'Set API_KEY to a key of the organisation with the right to write: key create … --may read,create-members,write.',
    )
  }
  return { address: addressOf(url), organisationId, key }
}

/** What is asked of the API: a path below its version, a query, and what else `fetch` takes; and whether there may be nothing. */
export type Ask = {
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Blob
  mayBeMissing?: boolean
}

/** Asks a service on behalf of a file, again where that may help. Gives its answer of 200, or of 404 where there may be nothing; any other is a refusal. */
export async function asked(
  file: string,
  { address, organisationId, key }: Reached,
  { path, query, headers, body, mayBeMissing = false }: Ask,
): Promise<Response> {
  const url = new URL(`api/v1/${path}`, address)
  url.search = String(new URLSearchParams({ ...query, organisationId }))
  const init: RequestInit = {
    headers: { 'x-api-key': key, ...headers },
    redirect: 'manual',
    ...(body && { method: 'POST', body }),
  }
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(url, init).catch(() => undefined)
    if (answer?.status === 200 || (mayBeMissing && answer?.status === 404)) return answer
    const mayWork = !answer || answer.status === 429 || answer.status >= 500
    if (!mayWork || attempt === mostAttempts) throw await refused(file, address, answer)
    const seconds = Number(answer?.headers.get('Retry-After') ?? attempt)
    await setTimeout(1000 * Math.min(seconds || attempt, 60))
  }
}

async function refused(file: string, { host }: URL, answer: Response | undefined) {
  if (!answer) return new Refusal(`${file}: ${host} cannot be reached.`)
  const body: unknown = await answer.json().catch(() => undefined)
  const { data } = z.object({ message: z.string() }).safeParse(body)
  return new Refusal(
    `${file}: ${host} answered ${answer.status}. ${data?.message ?? 'Is this the address of the service?'}`,
  )
}

/** The address of a service; a key is not sent anywhere that others could read it. */
function addressOf(text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(address?.hostname ?? '')
  if (address?.protocol === 'https:' || (address?.protocol === 'http:' && isLocal)) {
    return new URL('/', address)
  }
  throw new Refusal('--url must be the address of a service, such as https://api.example.org.')
}
