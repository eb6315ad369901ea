import { openMail } from '../../mail/mail.ts'
import type { Bindings } from '../../platform/bindings.ts'
import { tolerate } from '../../platform/log.ts'
import { insertLinkRows } from '../../store/sign-up/form-links.ts'
import {
  type DueMessage,
  finishMessage,
  type Recipient,
  type StoredMailing,
  startSending,
  takeDueMessages,
} from '../../store/sign-up/mailings.ts'
import { insertUnsubscribeLink } from '../../store/sign-up/unsubscribe.ts'
import { trustedStore } from '../../store/trusted-store.ts'
import type { MailContext } from '../context.ts'
import { sendMail } from '../send-mail.ts'
import { compose } from './compose.ts'

/** The maximum number of attempts. They take about four hours, because the wait doubles each time. */
const maxAttempts = 8

/** The age at which a message is given up. Older ones appear when a database is restored. */
const maxAgeMs = 24 * 3_600_000

/** Sends the messages of all organisations that are due. Runs each minute, in parts. */
export async function sendDueMessages(env: Bindings, now: number): Promise<void> {
  const mail = openMail(env)
  const messages = await takeDueMessages(env.DB, new Date(now).toISOString())
  const attempts = messages.map((message) => {
    const { organisationId } = message
    const store = trustedStore(env.DB, organisationId, { by: 'public page' })
    return tolerate('mail', { organisation: organisationId }, async () => {
      const result = await send({ store, mail }, message, now)
      if (result) await finishMessage(store, message, result)
    })
  })
  await Promise.all(attempts)
}

/** Tries to send a message. Returns its last state, or the time of the next attempt; undefined if another run has it. */
async function send(context: MailContext, message: DueMessage, now: number) {
  const { store } = context
  const mailing: StoredMailing = JSON.parse(message.mailing)
  const recipient: Recipient = JSON.parse(message.recipient)
  if (message.attempts > maxAttempts || Date.parse(mailing.created) < now - maxAgeMs)
    return { state: 'failed' } as const
  const composed = await compose(store, mailing, recipient)
  if (!composed) return { state: 'unneeded' } as const
  const { letter, replyTo, links, formLinks, unsubscribeLinks } = composed
  const others = unsubscribeLinks.map((link) => insertUnsubscribeLink(store, link))
  if (formLinks) others.push(insertLinkRows(store, formLinks))
  if (!(await startSending(store, message, links, others))) return undefined
  const outcome = await sendMail(context, { to: recipient.email, replyTo }, letter)
  if (outcome !== 'refused') return { state: outcome }
  if (message.attempts >= maxAttempts) return { state: 'failed' } as const
  return { due: new Date(now + 60_000 * 2 ** message.attempts).toISOString() }
}
