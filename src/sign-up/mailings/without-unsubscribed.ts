import { findUnsubscribed } from '../../store/sign-up/unsubscribe.ts'
import type { Store } from '../../store/store.ts'
import { hashAddress } from '../unsubscribe.ts'

/** The recipients who have not stopped messages. */
export async function withoutUnsubscribed<R extends { email: string }>(
  store: Store,
  recipients: readonly R[],
): Promise<R[]> {
  const hashed = await Promise.all(
    recipients.map(async (recipient) => ({
      recipient,
      hash: await hashAddress(store, recipient.email),
    })),
  )
  const unsubscribed = await findUnsubscribed(
    store,
    hashed.map(({ hash }) => hash),
  )
  return hashed.filter(({ hash }) => !unsubscribed.has(hash)).map(({ recipient }) => recipient)
}
