import type { CollectionPages } from './collection-pages.ts'

// The schema of an organisation says what its lists of people show.

export const members: CollectionPages = {
  isPeople: true,
  linkParameter: 'member',
  report: { singular: 'member' },
}

export const volunteers: CollectionPages = {
  isPeople: true,
  linkParameter: 'volunteer',
  report: { singular: 'volunteer' },
}

export const partners: CollectionPages = {
  isPeople: true,
  linkParameter: 'partner',
  report: { singular: 'partner' },
}
