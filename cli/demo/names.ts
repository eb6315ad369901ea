const women = [
  'Amara',
  'Bethan',
  'Chloe',
  'Dorota',
  'Esther',
  'Farida',
  'Grace',
  'Hannah',
  'Imani',
  'Joan',
  'Keira',
  'Leila',
  'Maureen',
  'Nadia',
  'Olwen',
  'Priya',
  'Rosa',
  'Shanice',
  'Tamsin',
  'Wei',
  'Zoë',
]
const men = [
  'Adeel',
  'Bartosz',
  'Callum',
  'Desmond',
  'Ewan',
  'Femi',
  'Gareth',
  'Hamza',
  'Ivor',
  'Jamal',
  'Kwame',
  'Liam',
  'Mateusz',
  'Nikhil',
  'Oscar',
  'Patrick',
  'Rhys',
  'Samuel',
  'Tariq',
  'Victor',
]
const firstNames = [...women, ...men]
const surnames = [
  'Abara',
  'Ainsley',
  'Barlow',
  'Begum',
  'Bevan',
  'Carrick',
  'Chaudhry',
  'Conteh',
  'Dalgleish',
  'Dunmore',
  'Ellery',
  'Farrow',
  'Fenwick',
  'Gill',
  'Gowan',
  'Haldane',
  'Hussain',
  'Ibekwe',
  'Jessop',
  'Kaur',
  'Kowal',
  'Lomax',
  'Mensah',
  'Merrick',
  'Nandra',
  'Nowak',
  "O'Dowd",
  'Okafor',
  'Patel',
  'Penrose',
  'Quaye',
  'Rahman',
  'Redfern',
  'Sandhu',
  'Shah',
  'Tennant',
  'Trevanion',
  'Usman',
  'Varley',
  'Wadsworth',
  'Whitlock',
  'Yeboah',
  'Zielinski',
]

/** The name of the `index`-th invented person. There are 41 first names and 43 surnames, so the first 1,763 all differ. */
export const fullName = (index: number) =>
  `${firstNames[(index * 17) % firstNames.length]} ${surnames[(index * 5) % surnames.length]}`

/** The gender that the first name of `name` stands in the lists for. */
export const genderOf = (name: string) =>
  women.some((first) => name.startsWith(`${first} `)) ? 'Woman' : 'Man'

/** An address in the domain that is kept for examples (RFC 2606). */
export const emailOf = (name: string) =>
  `${name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')}@example.org`

// Ofcom keeps these ranges for use in fiction: nobody can be reached in them.
const landlines = ['0113 496 0', '0117 496 0', '0161 496 0', '020 7946 0', '029 2018 0']

export const mobile = (index: number) => `07700 900${threeDigits(index)}`

export const landline = (index: number) =>
  `${landlines[index % landlines.length]}${threeDigits(index * 7)}`

const threeDigits = (number: number) => String(number % 1000).padStart(3, '0')
