import type { CollectionPages } from './collection-pages.ts'

// The schema of an organisation says what its lists of people show.

export const members: CollectionPages = {
  isPeople: true,
  linkParameter: 'member',
}

export const volunteers: CollectionPages = {
  isPeople: true,
  linkParameter: 'volunteer',
}

export const partners: CollectionPages = {
  isPeople: true,
  linkParameter: 'partner',
}
