import type { Activity } from './activity.ts'

/** An activity that is held `count` times from `first` on: every `weeks` weeks, or each month. */
export type Series = Activity & { first: string; count: number; weeks: number | 'monthly' }

export const series: Series[] = [
  {
    name: 'Community Lunch',
    description: 'A hot meal and company; bring a friend, or come alone and sit with us.',
    tags: ['Food', 'Older people'],
    hour: '12:00',
    minutes: 120,
    capacity: 70,
    price: 3,
    venue: 'kitchen',
    first: '2025-02-06',
    count: 10,
    weeks: 1,
  },
  {
    name: 'Job Club',
    description: 'Help with forms, letters and interviews, and computers to use.',
    tags: ['Employment'],
    hour: '10:00',
    minutes: 150,
    capacity: 36,
    price: 0,
    venue: 'library',
    first: '2025-09-09',
    count: 8,
    weeks: 1,
  },
  {
    name: 'English Conversation',
    description: 'Speak English in a small group over tea. All levels are welcome.',
    tags: ['Learning'],
    hour: '13:30',
    minutes: 90,
    capacity: 36,
    price: 0,
    venue: 'library',
    first: '2026-01-15',
    count: 6,
    weeks: 'monthly',
  },
  {
    name: 'Walking Group',
    description: 'An hour at an easy pace on level paths, with a rest halfway.',
    tags: ['Outdoors', 'Wellbeing'],
    hour: '09:30',
    minutes: 75,
    capacity: 45,
    price: 0,
    venue: 'park',
    first: '2026-04-25',
    count: 8,
    weeks: 2,
  },
]
