import { formatCount } from '../../platform/pluralise.ts'
import type { Check } from './check.ts'
import { findDuplicatePairs } from './find-duplicates.ts'
import { findFutureDates } from './find-future-dates.ts'
import { findNotMarked } from './find-not-marked.ts'
import { findUnknownPostcodes } from './find-unknown-postcodes.ts'
import { findOutsideOptions, findWithoutValue } from './find-values.ts'

/** All checks, in the order of the page. */
export const checks: readonly Check[] = [
  {
    title: 'Likely duplicates',
    describe: (count) => formatCount(count, 'likely duplicate'),
    explanation: 'The same e-mail address or phone number, or the same name and date of birth.',
    changesReports: true,
    find: findDuplicatePairs,
  },
  {
    title: 'Bookings that nobody has marked',
    describe: (count) => `${formatCount(count, 'booking')} that nobody has marked`,
    explanation: 'On past dates. Reports do not count them as attendances.',
    changesReports: true,
    find: findNotMarked,
  },
  {
    title: 'Bookings without a person',
    describe: (count) => `${formatCount(count, 'booking')} without a person`,
    explanation: 'Reports leave them out when they count different people.',
    changesReports: true,
    find: findWithoutValue('bookings', 'memberId'),
  },
  {
    title: 'Bookings without an event',
    describe: (count) => `${formatCount(count, 'booking')} without an event`,
    explanation: 'Reports by event, or by its tags, leave them out.',
    changesReports: true,
    find: findWithoutValue('bookings', 'eventId'),
  },
  {
    title: 'Values outside the options',
    describe: (count) => `${formatCount(count, 'value')} outside the options`,
    explanation: 'The field has a list of options, and these values are not in it.',
    find: findOutsideOptions,
  },
  {
    title: 'Postcodes that no area is known for',
    describe: (count) => `${formatCount(count, 'postcode')} that no area is known for`,
    explanation: 'These people appear in no ward.',
    find: findUnknownPostcodes,
  },
  {
    title: 'Dates in the future',
    describe: (count) => `${formatCount(count, 'date')} in the future`,
    explanation: 'Only past dates are possible here, such as that of a birth or a note.',
    find: findFutureDates,
  },
]
