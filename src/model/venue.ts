import { isObject } from './json.ts'

/** The lines of an event's venue, in which all pages, letters and calendar files show it. */
export const venueLines = (venue: unknown): string[] =>
  isObject(venue)
    ? [venue.name, venue.address, venue.postcode].flatMap((line) => (line ? [String(line)] : []))
    : []

/** The same in one line. */
export const formatVenue = (venue: unknown): string => venueLines(venue).join(', ')
