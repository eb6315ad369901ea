import type { Answer } from './connection.ts'
import type { Credential } from './credentials.ts'
import type { NewMembers } from './new-members.ts'
import type { Organisation } from './organisations.ts'
import type { Writing } from './writing.ts'

/** A request, and a check of its response unless the credentials were rejected. */
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
  /** The credential, if it is not the current one. */
  by?: Credential
  /** Whether no credentials are needed. */
  isOpen?: boolean
  /** Whether the credentials are checked again while the answer is sent. */
  isStreamed?: boolean
  /** Called when there is a response. */
  answered?: () => void
}

/** The credential, its organisation, its new members, the other organisations, and the one with writes. */
export type Situation = {
  credential: Credential
  organisation: Organisation
  newMembers: NewMembers
  others: readonly Organisation[]
  writing: Writing
}
