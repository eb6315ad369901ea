import { MailRefusal } from '../mail/mail.ts'
import { normaliseEmail } from '../model/properties/compare-people.ts'
import { logError } from '../platform/log.ts'
import { sha256 } from '../platform/sha256.ts'
import { acceptSignUp } from '../store/sign-up/sent-mail.ts'
import type { SignUpRequest } from '../store/sign-up/sign-up-requests.ts'
import type { MailContext, SignUpContext } from './context.ts'
import { type Letter, writeMessage } from './message.ts'
import { PublicError } from './public-error.ts'

/** The maximum number of messages after sign-ups to one address on a day, from all organisations. */
const maxMessages = 30

/** The maximum from one network, so that a stranger does not use up all messages to an address. */
const maxMessagesOfNetwork = 10

/**
 * Stores a sign-up, and counts its message. Throws 429 if the address or the client has caused too many
 * today. Offers are not counted: each follows from a sign-up.
 */
export async function acceptSignUpByMail(
  { store, network }: SignUpContext,
  to: string,
  request: SignUpRequest,
): Promise<void> {
  const now = new Date().toISOString()
  const day = now.slice(0, 10)
  const mailbox = withoutTag(normaliseEmail(to))
  const counts = [
    { hash: await sha256(JSON.stringify([day, mailbox])), max: maxMessages },
    { hash: await sha256(JSON.stringify([day, mailbox, network])), max: maxMessagesOfNetwork },
  ]
  if (!(await acceptSignUp(store, request, counts, now))) throw new PublicError('tooManyMessages')
}

/** Removes the tag of an address: `ada+club@oak.example` is the mailbox `ada@oak.example`. */
const withoutTag = (email: string) => email.replace(/(?<=^[^+]+)\+[^@]*/, '')

/** `uncertain`: the provider has not answered in time, and may have sent the message. */
export type MailOutcome = 'sent' | 'refused' | 'uncertain'

/** Who gets a message, and who gets answers to it: without `replyTo`, its sender. */
type Addresses = { to: string; replyTo: string | undefined }

/** Sends a message. Logs a failure. */
export async function sendMail(
  { store, mail }: MailContext,
  addresses: Addresses,
  letter: Letter,
): Promise<MailOutcome> {
  if (!mail) return 'refused'
  try {
    await mail.send({ ...addresses, ...writeMessage(letter) })
    return 'sent'
  } catch (error) {
    logError('mail', { organisation: store.organisationId }, error)
    return error instanceof MailRefusal ? 'refused' : 'uncertain'
  }
}
