import type { Places } from '../../store/sign-up/places.ts'

/** The places that are left of a limited number. */
export type PlacesLeft = { left: number; capacity: number }

/** Returns the places left; undefined without a limit. While people wait, others get no place. */
export const toPlacesLeft = ({ capacity, held, waiting }: Places): PlacesLeft | undefined =>
  capacity === null ? undefined : { capacity, left: waiting > 0 ? 0 : Math.max(0, capacity - held) }

/** Returns the places left in words, or '' without a limit. */
export function formatPlacesLeft(places: PlacesLeft | undefined): string {
  if (places === undefined) return ''
  return places.left === 0
    ? 'Full'
    : `${places.left} ${places.left === 1 ? 'place' : 'places'} left`
}
