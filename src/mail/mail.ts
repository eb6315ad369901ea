import type { MailBindings } from '../platform/bindings.ts'
import { TimeoutError, withTimeout } from '../platform/timeout.ts'

export type MailMessage = {
  to: string
  /** The address that gets answers, if it is not the sender's. */
  replyTo?: string | undefined
  subject: string
  text: string
  html: string
}

/** Sends messages. `send` throws a `MailRefusal` if the provider does not accept a message, and another error if that is not known. */
export type Mail = { send(message: MailMessage): Promise<void> }

/** The provider has answered that it does not accept a message, so it was not sent. */
export class MailRefusal extends Error {
  override readonly name = 'MailRefusal'
}

/** Set only by the local Worker: prints messages on the terminal. */
export const printsMail = Symbol('prints mail')

const timeoutMs = 15_000

/** Opens mail as configured; undefined if no mail is set up. */
export function openMail(env: MailBindings & { [printsMail]?: true }): Mail | undefined {
  if (env[printsMail]) return terminalMail
  const { MAIL, MAIL_FROM: from, MAIL_API_URL: url, MAIL_API_KEY: key } = env
  if (!from) return undefined
  if (MAIL)
    return {
      async send(message) {
        try {
          await withTimeout(MAIL.send({ from, ...message }), timeoutMs)
        } catch (error) {
          if (error instanceof TimeoutError) throw error
          throw new MailRefusal('Cloudflare refused the message.', { cause: error })
        }
      },
    }
  return url && key ? httpMail(url, key, from) : undefined
}

const httpMail = (url: string, key: string, from: string): Mail => ({
  async send({ replyTo, ...message }) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ from, reply_to: replyTo, ...message }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    // The body may repeat the message.
    await response.body?.cancel()
    if (!response.ok) throw new MailRefusal(`The mail provider answered ${response.status}.`)
  },
})

const terminalMail: Mail = {
  async send({ to, subject, text }) {
    console.info(`\nTo: ${to}\nSubject: ${subject}\n\n${text}\n`)
  },
}
