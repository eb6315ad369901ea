import type { Mail } from '../mail/mail.ts'
import type { Store } from '../store/store.ts'

/** The organisation's store, and mail if it is set up. */
export type MailContext = { store: Store; mail: Mail | undefined }

/** The context of a request to the public pages. `origin` begins the links in messages. */
export type SignUpContext = MailContext & { geography: D1Database; origin: string }

/** The person who signs up. `origin` begins the links in later messages. */
export type Contact = { name: string; email: string; origin: string }
