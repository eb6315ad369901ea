import type { Mail } from '../mail/mail.ts'
import type { Store } from '../store/store.ts'

/** The organisation's store, and mail if it is set up. */
export type MailContext = { store: Store; mail: Mail | undefined }

/** The context of a request to the public pages. */
export type SignUpContext = MailContext & {
  geography: D1Database
  /** The beginning of the links in messages. */
  origin: string
  /** The client's network. */
  network: string
  /** Runs a task after the response. Its failure is logged. */
  runInBackground(task: () => Promise<void>): void
}

/** The person who signs up. `origin` begins the links in later messages. */
export type Contact = { name: string; email: string; origin: string }
