import { setTimeout } from 'node:timers/promises'
import * as z from 'zod'
import { CommandError } from '../terminal/refusal.ts'

/** The service that files are sent to, the organisation, and a key of it. */
export type Service = { url: string; organisationId: string; key: string | undefined }

/** A service whose address and key may be used. */
export type ServiceConnection = { address: URL; organisationId: string; key: string }

const maxAttempts = 5

/** A service as it can be asked; refused without a key, or at an address where others could read it. */
export function connectService({ url, organisationId, key }: Service): ServiceConnection {
  if (!key) {
    throw new CommandError(
      'Set API_KEY to a key of the organisation with the right to write: key create … --may read,create-members,write.',
    )
  }
  return { address: parseAddress(url), organisationId, key }
}

/** What is asked of the API: a path below its version, a query, and what else `fetch` takes; and whether there may be nothing. */
export type ServiceRequest = {
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Blob
  mayBeMissing?: boolean
}

/** Asks a service on behalf of a file, again where that may help. Gives its answer of 200, or of 404 where there may be nothing; any other is a refusal. */
export async function requestService(
  file: string,
  { address, organisationId, key }: ServiceConnection,
  { path, query, headers, body, mayBeMissing = false }: ServiceRequest,
): Promise<Response> {
  const url = new URL(`api/v1/${path}`, address)
  url.search = String(new URLSearchParams({ ...query, organisationId }))
  const init: RequestInit = {
    headers: { 'x-api-key': key, ...headers },
    redirect: 'manual',
    ...(body && { method: 'POST', body }),
  }
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init).catch(() => undefined)
    if (response?.status === 200 || (mayBeMissing && response?.status === 404)) return response
    const canRetry = !response || response.status === 429 || response.status >= 500
    if (!canRetry || attempt === maxAttempts) throw await toRequestError(file, address, response)
    const retryAfterSeconds = Number(response?.headers.get('Retry-After') ?? attempt)
    await setTimeout(1000 * Math.min(retryAfterSeconds || attempt, 60))
  }
}

async function toRequestError(file: string, { host }: URL, response: Response | undefined) {
  if (!response) return new CommandError(`${file}: ${host} cannot be reached.`)
  const body: unknown = await response.json().catch(() => undefined)
  const { data } = z.object({ message: z.string() }).safeParse(body)
  return new CommandError(
    `${file}: ${host} answered ${response.status}. ${data?.message ?? 'Is this the address of the service?'}`,
  )
}

/** The address of a service; a key is not sent anywhere that others could read it. */
function parseAddress(text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(address?.hostname ?? '')
  if (address?.protocol === 'https:' || (address?.protocol === 'http:' && isLocal)) {
    return new URL('/', address)
  }
  throw new CommandError('--url must be the address of a service, such as https://api.example.org.')
}
