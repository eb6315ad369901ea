import type { LoadResponse } from './connection.ts'
import type { Credential } from './credentials.ts'

/** A request and the check of its response, which is skipped if the credential was rejected. */
export type Step = {
  /** The method and the route pattern. */
  route: string
  method?: string
  path: string
  body?: string
  headers?: Record<string, string>
  /** The media type of the response, 'none' for no body; JSON by default. */
  type?: string
  findError: (answer: LoadResponse) => string | undefined
  /** The credential, if it is not the current one. */
  credential?: Credential
  /** Whether the route needs no credential. */
  isPublic?: boolean
  /** Whether the service checks the credential again while it sends the response. */
  isStreamed?: boolean
  /** Called when there is a response. */
  onResponse?: () => void
}
