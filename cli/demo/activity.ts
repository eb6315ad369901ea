/** What is held, and what every instance of a series has in common. */
export type Activity = {
  name: string
  description: string
  tags: Tag[]
  /** `HH:mm` in UTC. */
  hour: string
  minutes: number
  capacity: number
  /** Pounds for each person; 0 when it is free. */
  price: number
  venue: keyof typeof venues
}

type Tag = keyof typeof outcomeOf

/** What the organisation wants to achieve: events and questions count towards these. */
export const outcomes = {
  connection: 'outcome-connection',
  wellbeing: 'outcome-wellbeing',
  skills: 'outcome-skills',
  security: 'outcome-security',
} as const

export const outcomeOf = {
  Advice: outcomes.security,
  Arts: outcomes.wellbeing,
  Community: outcomes.connection,
  Employment: outcomes.skills,
  Families: outcomes.connection,
  Food: outcomes.security,
  Learning: outcomes.skills,
  'Older people': outcomes.connection,
  Outdoors: outcomes.wellbeing,
  Wellbeing: outcomes.wellbeing,
} as const

export const venues = {
  hall: { name: 'Thornmere Hall', address: '4 Chapel Street, Thornmere', postcode: 'M1 1AD' },
  kitchen: { name: 'Hollowby Kitchen', address: '18 Mill Lane, Hollowby', postcode: 'LS11 0ES' },
  library: { name: 'Pennlow Library', address: '1 Station Road, Pennlow', postcode: 'BS1 5TR' },
  park: { name: 'Wexmoor Park', address: 'Park Gate, Wexmoor', postcode: 'PR3 0SG' },
  studio: { name: 'Ashenlow Studio', address: '7 Orchard Close, Ashenlow', postcode: 'BR8 7QP' },
}
