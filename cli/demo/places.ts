/** Postcodes of public places by their country. */
export const countries = {
  'M1 1AD': 'England',
  'LS11 0ES': 'England',
  'PR3 0SG': 'England',
  'BR8 7QP': 'England',
  'SE1 9ZZ': 'England',
  'SW1A 1AA': 'England',
  'BS1 5TR': 'England',
  'AB10 1AB': 'Scotland',
  'CF10 4UW': 'Wales',
  'JE2 4WD': 'Jersey',
  'IM1 1AA': 'Isle of Man',
} as const

export type Postcode = keyof typeof countries

/** How many of a hundred people have each postcode. */
export const shares: Record<Postcode, number> = {
  'M1 1AD': 22,
  'LS11 0ES': 22,
  'PR3 0SG': 9,
  'BR8 7QP': 11,
  'SE1 9ZZ': 4,
  'SW1A 1AA': 3,
  'BS1 5TR': 12,
  'AB10 1AB': 7,
  'CF10 4UW': 6,
  'JE2 4WD': 2,
  'IM1 1AA': 2,
}

/** Neighbourhoods that are on no map. */
export const neighbourhoods = [
  'Thornmere',
  'Aldercombe',
  'Hollowby',
  'Eastmarrow',
  'Pennlow',
  'Fennacre',
  'Kestrelby',
  'Dunmallow',
  'Larchfold',
  'Wexmoor',
  'Tillerby',
  'Rowanhythe',
  'Skerrowdale',
  'Ashenlow',
  'Copperwick',
]
