import { eventRecord } from '../../src/resources/events.ts'
import example from '../examples/events.json'
import { testDocumentCollection } from './documents.ts'

testDocumentCollection({
  path: '/events',
  plural: 'events',
  id: 'eventId',
  record: eventRecord,
  example,
  differing: { bookable: false, tags: ['Sport', 'Food'], parentEventId: null },
  minimal: { eventId: 'e', managedBy: 'org-1' },
  finds: {
    'eventId=event-1': ['example'],
    'bookable=TRUE': ['example'],
    'bookable=false': ['other'],
    'tags=Food': ['example', 'other'],
    'tags=Sport': ['other'],
    'tags=food': [],
    'parentEventId=event-0': ['example'],
    'venue.postcode=SW1A%201AA&bookingDetails.capacityTotal=20': ['example', 'other'],
  },
  refuses: {
    'bookable=yes': 'bookable: must be true or false.',
    'bookable=1': 'bookable: must be true or false.',
    'bookable=': 'bookable: must be true or false.',
  },
})
