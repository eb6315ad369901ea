import { normaliseEmail } from '../model/properties/compare-people.ts'
import { sha256 } from '../platform/sha256.ts'
import { useUnsubscribeLink } from '../store/sign-up/unsubscribe.ts'
import type { Store } from '../store/store.ts'
import { hashSecret, secretPattern } from './link.ts'
import { PublicError } from './public-error.ts'

/** The digest by which an organisation remembers that an address gets no messages. */
export const hashAddress = ({ organisationId }: Store, email: string): Promise<string> =>
  sha256(JSON.stringify(['unsubscribe', organisationId, normaliseEmail(email)]))

/** Stops the messages to the address of a link. Throws 404 for an unknown secret. */
export async function unsubscribe(store: Store, secret: string): Promise<void> {
  const isLink =
    secretPattern.test(secret) && (await useUnsubscribeLink(store, await hashSecret(secret)))
  if (!isLink) throw new PublicError('noUnsubscribing')
}
