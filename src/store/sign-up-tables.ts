import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Whether an organisation's public pages under /o/ are on, their settings, and those of the open data. */
export const publicPages = sqliteTable('public_pages', {
  organisationId: text('organisation_id').primaryKey(),
  /** 1 or 0. */
  enabled: integer('enabled').notNull(),
  /** JSON (see sign-up/public-pages.ts). */
  settings: text('settings').notNull(),
  /** A PNG in Base64. */
  logo: text('logo'),
  /** Set if people are reminded the day before: the time when the schedule last looked for events of tomorrow, or empty if it has not yet. */
  remindersChecked: text('reminders_checked'),
  /** JSON (see publishing/settings.ts). */
  publishing: text('publishing').notNull().default('{}'),
})

/** What the sign-up form of one event has besides the organisation's settings. */
export const eventQuestions = sqliteTable(
  'event_questions',
  {
    organisationId: text('organisation_id').notNull(),
    eventId: text('event_id').notNull(),
    /** JSON (see sign-up/event-questions.ts). */
    questions: text('questions').notNull(),
    /** 1 for a series of which people book all dates at once. */
    booksAllDates: integer('books_all_dates').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.eventId] })],
)

/** The sign-up of a booking from the public pages, until the person comes or the data is deleted. */
export const signUps = sqliteTable(
  'sign_ups',
  {
    organisationId: text('organisation_id').notNull(),
    bookingId: text('booking_id').notNull(),
    eventId: text('event_id').notNull(),
    /** The digest of the event, the contact's address and the attendee: with the same digest, it is the same sign-up again. */
    personHash: text('person_hash').notNull(),
    /** JSON: the name and email address of the person who signed up. */
    contact: text('contact').notNull(),
    /** JSON: values by field of the members' schema. */
    answers: text('answers').notNull(),
    /** JSON: values by question of the event. */
    questionAnswers: text('question_answers').notNull(),
    /** The number of changes of the booking's calendar entry (SEQUENCE of iCalendar), without those of the event. */
    sequence: integer('sequence').notNull().default(0),
    /** The time until which a place is held for the person, who has not confirmed it yet; null if none is. */
    heldUntil: text('held_until'),
    /** The day after which the schedule next deletes a part of this row: answers to questions of the event on the day that each states, the whole row 30 days after the event. */
    deleteAfter: text('delete_after').notNull(),
    /** Set while the person is on the waiting list: the time when the schedule last looked for a place for them, or empty if it has not yet. */
    waitingChecked: text('waiting_checked'),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.bookingId] })],
)

/** The `orgStatus` and `attending` that a booking had before somebody marked it on the register. Removing the mark restores them. */
export const attendanceMarks = sqliteTable(
  'attendance_marks',
  {
    organisationId: text('organisation_id').notNull(),
    bookingId: text('booking_id').notNull(),
    orgStatus: text('org_status').notNull(),
    attending: integer('attending').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.bookingId] })],
)

/** The private links to bookings: each has a secret, of which only the digest is stored. A booking may have several. */
export const bookingLinks = sqliteTable('booking_links', {
  hash: text('hash').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  bookingId: text('booking_id').notNull(),
  created: text('created').notNull(),
  /** 1 for a link that leads to all bookings of the contact for the event, 2 for all bookings of the sign-up. */
  isFamily: integer('is_family').notNull().default(0),
})

/** The personal links to forms: each has a secret, of which only the digest is stored. */
export const formLinks = sqliteTable('form_links', {
  hash: text('hash').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  formId: text('form_id').notNull(),
  /** The person to whom the answer belongs; null if the link is for nobody on record. */
  kind: text('kind', { enum: ['members', 'volunteers', 'partners'] }),
  personId: text('person_id'),
  created: text('created').notNull(),
  expires: text('expires').notNull(),
  /** The time of the answer; null before. A link is for one answer. */
  used: text('used'),
  /** JSON: the restrictions of the key that made the link. */
  restrictions: text('restrictions'),
  /** JSON: the answers that were saved for later; null without any. */
  draft: text('draft'),
})

/** Sign-ups that are not finished: drafts of a form, which have no attempts and are deleted when they are due, and those by mail, of which the schedule makes the bookings and sends the message. */
export const signUpRequests = sqliteTable(
  'sign_up_requests',
  {
    organisationId: text('organisation_id').notNull(),
    id: text('id').notNull(),
    eventId: text('event_id').notNull(),
    /** JSON: the people, their answers and the contact. */
    signUp: text('sign_up').notNull(),
    created: text('created').notNull(),
    /** The number of attempts, including a present one. */
    attempts: integer('attempts').notNull(),
    /** The time of the next attempt, or of the deletion of a draft. */
    due: text('due').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] })],
)

/**
 * The number of messages that sign-ups caused on a day, which is limited. Each recipient has one row, and one more for
 * each network from which somebody asks for mail to them. Rows are named by digests.
 */
export const sentMail = sqliteTable(
  'sent_mail',
  {
    day: text('day').notNull(),
    /** The digest of the recipient, or of the recipient and a network. */
    recipientHash: text('recipient_hash').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.recipientHash] })],
)

/** Messages by mail that are written once for several addresses: by staff, or by the service on an occasion. */
export const mailings = sqliteTable(
  'mailings',
  {
    organisationId: text('organisation_id').notNull(),
    id: text('id').notNull(),
    /** What the messages are for (see sign-up/mailings/purposes.ts). */
    purpose: text('purpose').notNull(),
    /** The event or form that they are about. */
    recordId: text('record_id').notNull(),
    /** JSON, in a form of the purpose. */
    content: text('content').notNull(),
    /** The number of addresses, also once their messages are deleted. */
    recipients: integer('recipients').notNull(),
    created: text('created').notNull(),
    /** The name of the person who sent it, or `public page`. */
    createdBy: text('created_by').notNull(),
    /** The day after which the schedule deletes the mailing with its messages. */
    deleteAfter: text('delete_after').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] })],
)

/** The messages of mailings, one for each address. Their text is written only when they are sent. */
export const mailingMessages = sqliteTable(
  'mailing_messages',
  {
    organisationId: text('organisation_id').notNull(),
    mailingId: text('mailing_id').notNull(),
    /** The e-mail address in lower case. */
    address: text('address').notNull(),
    /** JSON: the name and address of the recipient, and the bookings that the message is about. */
    recipient: text('recipient').notNull(),
    state: text('state', {
      enum: ['queued', 'sending', 'sent', 'failed', 'uncertain', 'unneeded'],
    }).notNull(),
    /** The number of attempts, including a present one. */
    attempts: integer('attempts').notNull().default(0),
    /** The time of the next attempt, or the end of the present one; null once nothing is left to do. */
    due: text('due'),
    /** The time of the last change of the state. */
    updated: text('updated').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.mailingId, table.address] })],
)

/** The links to stop messages, as digests of their secrets and of addresses. */
export const unsubscribeLinks = sqliteTable(
  'unsubscribe_links',
  {
    organisationId: text('organisation_id').notNull(),
    addressHash: text('address_hash').notNull(),
    hash: text('hash').notNull(),
    created: text('created').notNull(),
    /** The time when somebody used the link; null before. */
    used: text('used'),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.addressHash, table.hash] })],
)
