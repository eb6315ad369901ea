import { dayWithin } from './calendar.ts'
import { emailOf, fullName, mobile } from './names.ts'
import { shares } from './places.ts'
import { availability, roles, skills } from './schemas.ts'
import { type Seeded, seeded } from './seeded.ts'

export type Volunteer = ReturnType<typeof volunteer>

/** Those who give their time, in the order in which they started. */
export function volunteers(): Volunteer[] {
  const random = seeded('volunteers')
  return Array.from({ length: 40 }, () => dayWithin(random, '2022-02-01', '2026-04-30'))
    .toSorted()
    .map((started, index) => volunteer(random, index, started))
}

function volunteer(random: Seeded, index: number, started: string) {
  const name = fullName(500 + index)
  return {
    volunteerId: `volunteer-${String(index + 1).padStart(2, '0')}`,
    'Full Name': name,
    Email: emailOf(name),
    Phone: mobile(500 + index),
    Postcode: random.weighted(shares),
    Started: started,
    Role: random.pick(roles),
    Skills: random.some(skills, random.integer(1, 3)),
    Availability: random.some(availability, random.integer(1, 2)),
    'Hours per Month': random.integer(2, 24),
    'DBS Checked': random.chance(0.85),
    'emergency.name': fullName(600 + index),
    'emergency.phone': mobile(600 + index),
  }
}
