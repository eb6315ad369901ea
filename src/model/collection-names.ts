/** The names of all collections, in the order in which files are imported. */
export const collectionNames = [
  'members',
  'volunteers',
  'partners',
  'events',
  'bookings',
  'forms',
  'survey-responses',
  'case-notes',
  'funds',
  'grant-applications',
  'disbursements',
]
