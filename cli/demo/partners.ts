import { dayWithin } from './calendar.ts'
import { emailOf, fullName, landline } from './names.ts'
import { countries, neighbourhoods, type Postcode, shares } from './places.ts'
import { partnerTypes, services } from './schemas.ts'
import { type Seeded, seeded } from './seeded.ts'

export type Partner = ReturnType<typeof partner>

const works = ['Youth Project', 'Food Network', 'Arts Collective', 'Advice Centre', 'Carers Circle']
const streets = ['Mill Lane', 'Chapel Street', 'Station Road', 'Orchard Close']

/** The organisations that the organisation works with and makes grants to, one a neighbourhood. */
export function partners(): Partner[] {
  const random = seeded('partners')
  return neighbourhoods.map((neighbourhood, index) => partner(random, neighbourhood, index))
}

function partner(random: Seeded, neighbourhood: string, index: number) {
  const contact = fullName(700 + index)
  const postcode = random.weighted(inBritain)
  return {
    partnerId: `partner-${String(index + 1).padStart(2, '0')}`,
    'Organisation Name': `${neighbourhood} ${works[index % works.length]}`,
    'Organisation Type': random.pick(partnerTypes),
    // The Charity Commission has not given out numbers of this height.
    'Charity Number': String(1999001 + index * 17),
    'Partner Since': dayWithin(random, '2018-05-01', '2023-12-15'),
    Services: random.some(services, random.integer(1, 3)),
    Active: index !== 11,
    'Contact Name': contact,
    Email: emailOf(contact),
    Phone: landline(700 + index),
    Address: `${random.integer(1, 90)} ${random.pick(streets)}, ${neighbourhood}`,
    Postcode: postcode,
    Country: countries[postcode],
    Website: `https://${neighbourhood.toLowerCase()}.example.org`,
  }
}

const inBritain: Record<Postcode, number> = { ...shares, 'JE2 4WD': 0, 'IM1 1AA': 0 }
