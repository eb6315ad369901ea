import { daysAfter, dayWithin } from './calendar.ts'
import { emailOf, fullName, genderOf, landline, mobile } from './names.ts'
import { present } from './organisation.ts'
import { countries, neighbourhoods, shares } from './places.ts'
import { disabilities, ethnicities, interests, languages, sources } from './schemas.ts'
import { type Seeded, seeded } from './seeded.ts'

export type Member = ReturnType<typeof member>

/** Those whom the organisation is there for, in the order in which they joined. A field without a value is left out. */
export function members(): Member[] {
  const random = seeded('members')
  return Array.from({ length: 400 }, () => dayWithin(random, '2023-01-09', daysAfter(present, -7)))
    .toSorted()
    .map((joined, index) => member(random, index, joined))
}

function member(random: Seeded, index: number, joined: string) {
  const name = fullName(index)
  const number = String(index + 1).padStart(4, '0')
  const postcode = random.weighted(shares)
  const born = dayWithin(random, '1938-01-01', '2004-12-31')
  const retired = born < '1960'
  return {
    memberId: `member-${number}`,
    'Full Name': name,
    ...(random.chance(0.9) && { Email: emailOf(name) }),
    ...(random.chance(0.95) && { Phone: random.chance(0.8) ? mobile(index) : landline(index) }),
    Postcode: postcode,
    Country: countries[postcode],
    'Membership Number': `LCT-${number}`,
    Joined: joined,
    'Date of Birth': born,
    'demographics.gender': random.chance(0.92)
      ? genderOf(name)
      : random.pick(['Non-binary', 'Prefer not to say']),
    ...(random.chance(0.85) && { 'demographics.ethnicity': random.pick(ethnicities) }),
    ...(random.chance(0.8) && {
      'demographics.disability': random.pick([...disabilities, 'No', 'No']),
    }),
    'Main Language': random.chance(0.7)
      ? 'English'
      : random.pick([...languages, 'Portuguese', 'Tigrinya']),
    'Household Size': random.pick([1, 1, 1, 2, 2, 2, 3, 4, 5, 6]),
    ...(born >= '2001' && { College: `${random.pick(neighbourhoods)} College` }),
    ...(random.chance(0.3) && {
      Benefits: random.pick(retired ? ofTheRetired.benefits : ofTheOthers.benefits),
    }),
    Interests: random.some(interests, random.integer(1, 4)),
    'Heard About Us': random.pick([...sources, 'A poster at the library']),
    ...(random.chance(0.15) && {
      'Access Needs': random.pick([
        'Step-free access',
        'Hearing loop',
        'Large print',
        'Quiet room',
      ]),
    }),
    'Photo Consent': random.chance(0.6),
    'Contact Consent': random.chance(0.85),
    ...(random.chance(0.4) && {
      Tags: random.some(retired ? ofTheRetired.tags : ofTheOthers.tags, 1),
    }),
  }
}

const ofTheRetired = {
  benefits: ['Pension Credit', 'Attendance Allowance'],
  tags: ['Befriending', 'Carer', 'Retired'],
}
const ofTheOthers = {
  benefits: ['Universal Credit', 'Personal Independence Payment'],
  tags: ['Befriending', 'Carer', 'New parent', 'Newly arrived'],
}

/** The user with whom a member signs in. */
export const userOf = (member: Member) => `user-${member.memberId}`
