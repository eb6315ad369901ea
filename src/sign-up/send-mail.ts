import { logError } from '../platform/log.ts'
import { sha256 } from '../platform/sha256.ts'
import { countMessage } from '../store/sign-up/sent-mail.ts'
import { normaliseEmail } from './attendees.ts'
import type { MailContext } from './context.ts'
import { type Letter, writeMessage } from './message.ts'

/** The maximum number of messages to one address on a day, from all organisations. */
const maxMessages = 10

/**
 * Sends a message unless the address has had too many today. A failure is logged: the booking does
 * not depend on the message.
 */
export async function sendMail(
  { store, mail }: MailContext,
  to: string,
  letter: Letter,
): Promise<void> {
  if (!mail) return
  const day = new Date().toISOString().slice(0, 10)
  const recipientHash = await sha256(JSON.stringify([day, normaliseEmail(to)]))
  if (!(await countMessage(store, { day, recipientHash, max: maxMessages }))) return
  try {
    await mail.send({ to, ...writeMessage(letter) })
  } catch (error) {
    logError('mail', { organisation: store.organisationId }, error)
  }
}
