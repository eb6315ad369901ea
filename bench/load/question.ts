import type { Answer } from './connection.ts'
import type { Credential } from './credentials.ts'
import type { NewMembers } from './new-members.ts'
import type { Organisation } from './organisations.ts'
import type { Writing } from './writing.ts'

/** A request, and what is wrong with an answer to it that was not refused for its credentials. */
export type Question = {
  /** The method and the route, with the names of its parameters. */
  route: string
  method?: string
  path: string
  body?: string
  headers?: Record<string, string>
  /** The media type of the answer, 'none' where it has no body; JSON unless told. */
  type?: string
  fault: (answer: Answer) => string | undefined
  /** Who must ask, if not whoever is at it. */
  by?: Credential
  /** Whether no credentials are needed. */
  isOpen?: boolean
  /** Whether the credentials are checked again while the answer is sent. */
  isStreamed?: boolean
  /** To be told when there is an answer. */
  answered?: () => void
}

/** Who asks, of which organisation, what is known of its new members, which others there are, and the one that is written. */
export type Situation = {
  credential: Credential
  organisation: Organisation
  newMembers: NewMembers
  others: readonly Organisation[]
  writing: Writing
}
