import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const publicPages = sqliteTable('public_pages', {
  organisationId: text('organisation_id').primaryKey(),
  enabled: integer('enabled').notNull(),
  /** JSON (see sign-up/public-pages.ts). */
  settings: text('settings').notNull(),
  /** A PNG in Base64. */
  logo: text('logo'),
})

export const eventQuestions = sqliteTable(
  'event_questions',
  {
    organisationId: text('organisation_id').notNull(),
    eventId: text('event_id').notNull(),
    /** JSON (see sign-up/event-questions.ts). */
    questions: text('questions').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.eventId] })],
)

/** The answers behind a booking from the public pages. */
export const signUps = sqliteTable(
  'sign_ups',
  {
    organisationId: text('organisation_id').notNull(),
    bookingId: text('booking_id').notNull(),
    eventId: text('event_id').notNull(),
    personHash: text('person_hash').notNull(),
    /** JSON: the name and email address of the person who signed up. */
    contact: text('contact').notNull(),
    /** JSON: values by field of the members' schema. */
    answers: text('answers').notNull(),
    /** JSON: values by question of the event. */
    questionAnswers: text('question_answers').notNull(),
    /** The version of the calendar entry. */
    sequence: integer('sequence').notNull().default(0),
    /** The time when a place that is not confirmed falls free. */
    heldUntil: text('held_until'),
    /** The next day after which a part of the data is to be deleted. */
    deleteAfter: text('delete_after').notNull(),
    waitingChecked: text('waiting_checked'),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.bookingId] })],
)

/** The statuses of bookings before their mark on the register. */
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

export const bookingLinks = sqliteTable('booking_links', {
  hash: text('hash').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  bookingId: text('booking_id').notNull(),
  created: text('created').notNull(),
})

export const formLinks = sqliteTable('form_links', {
  hash: text('hash').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  formId: text('form_id').notNull(),
  kind: text('kind', { enum: ['members', 'volunteers', 'partners'] }),
  personId: text('person_id'),
  created: text('created').notNull(),
  expires: text('expires').notNull(),
  /** The time of the answer. */
  used: text('used'),
  /** JSON: the restrictions of the key that made the link. */
  restrictions: text('restrictions'),
})

/** Unfinished sign-ups: their bookings or their message are missing. */
export const signUpRequests = sqliteTable(
  'sign_up_requests',
  {
    organisationId: text('organisation_id').notNull(),
    id: text('id').notNull(),
    eventId: text('event_id').notNull(),
    /** JSON: the people, their answers and the contact. */
    signUp: text('sign_up').notNull(),
    created: text('created').notNull(),
    attempts: integer('attempts').notNull(),
    /** The time of the next attempt. */
    due: text('due').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] })],
)

/** The number of messages after sign-ups to an address on a day, from everywhere and from one network. */
export const sentMail = sqliteTable(
  'sent_mail',
  {
    day: text('day').notNull(),
    recipientHash: text('recipient_hash').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.recipientHash] })],
)
