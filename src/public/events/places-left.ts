import type { Places } from '../../store/sign-up/places.ts'
import { texts } from '../../texts/texts.ts'

/** The places that are left of a limited number. */
export type PlacesLeft = { left: number; capacity: number }

/** The places left; undefined without a limit. */
export const toPlacesLeft = ({ capacity, left }: Places): PlacesLeft | undefined =>
  capacity === null || left === null ? undefined : { capacity, left: Math.max(0, left) }

/** The places left in words, or '' without a limit. */
export function formatPlacesLeft(places: PlacesLeft | undefined): string {
  if (places === undefined) return ''
  return places.left === 0 ? texts.event.full : texts.event.placesLeft(places.left)
}
