import { setTimeout } from 'node:timers/promises'
import * as z from 'zod'
import { isLoopback } from '../../src/platform/loopback.ts'
import { CommandError } from '../terminal/report.ts'

/** The address, organisation and key of a service. */
export type Service = { url: string; organisationId: string; key: string | undefined }

/** A validated service address, with the organisation and key. */
export type ServiceConnection = { address: URL; organisationId: string; key: string }

const maxAttempts = 5

/** Validates the connection to a service. Throws without a key, or for an address that would expose the key. */
export function connectService({ url, organisationId, key }: Service): ServiceConnection {
  if (!key) {
    throw new CommandError(
      'Set API_KEY to a key of the organisation with write permission: key create … --permissions read,create-members,write.',
    )
  }
  return { address: parseAddress(url), organisationId, key }
}

/** A request to the API. `path` is relative to the API version, and `mayBeMissing` accepts 404. */
type ServiceRequest = {
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Blob
  mayBeMissing?: boolean
}

/** Sends a request for a file and retries failures. Returns a 200 response, or an accepted 404; throws for any other. */
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

/** Parses a service address. Throws for an address that would expose the key. */
function parseAddress(text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = isLoopback(address?.hostname ?? '')
  if (address?.protocol === 'https:' || (address?.protocol === 'http:' && isLocal)) {
    return new URL('/', address)
  }
  throw new CommandError('--url must be the address of a service, such as https://api.example.org.')
}
