import type { Credential } from './credentials.ts'
import type { NewMembers } from './new-members.ts'
import type { Organisation } from './organisations.ts'
import type { Writing } from './writing.ts'

/** The credential, its organisation, its new members, the other organisations, and the one with writes. */
export type Situation = {
  credential: Credential
  organisation: Organisation
  newMembers: NewMembers
  others: readonly Organisation[]
  writing: Writing
}
