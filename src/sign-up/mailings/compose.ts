import type { Recipient, StoredMailing } from '../../store/sign-up/mailings.ts'
import { findUnsubscribed, type NewUnsubscribeLink } from '../../store/sign-up/unsubscribe.ts'
import type { Store } from '../../store/store.ts'
import { texts } from '../../texts/texts.ts'
import { hashSecret, randomSecret } from '../link.ts'
import { hashAddress } from '../unsubscribe.ts'
import { type Composed, composeEventLetter } from './event-letter.ts'
import { composeFormLetter, isFormPurpose } from './form-letter.ts'

/** Writes the letter of a message when it is sent. Undefined if it is not needed any more, or its address gets no such messages. */
export async function compose(
  store: Store,
  mailing: Pick<StoredMailing, 'purpose' | 'recordId' | 'content'>,
  recipient: Recipient,
): Promise<(Composed & { unsubscribeLinks: NewUnsubscribeLink[] }) | undefined> {
  const write = isFormPurpose(mailing.purpose) ? composeFormLetter : composeEventLetter
  const composed = await write(store, mailing, recipient)
  if (!composed?.unsubscribeOrigin) return composed && { ...composed, unsubscribeLinks: [] }
  const addressHash = await hashAddress(store, recipient.email)
  const unsubscribed = await findUnsubscribed(store, [addressHash])
  if (unsubscribed.has(addressHash)) return undefined
  const secret = randomSecret()
  const address = `${composed.unsubscribeOrigin}/o/${encodeURIComponent(store.organisationId)}/unsubscribe/${secret}`
  return {
    ...composed,
    letter: {
      ...composed.letter,
      parts: [...composed.letter.parts, { label: texts.letters.unsubscribe, address }],
    },
    unsubscribeLinks: [{ hash: await hashSecret(secret), addressHash }],
  }
}
