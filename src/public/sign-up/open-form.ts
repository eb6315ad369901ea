import { readEventPage, type SignUpForm } from '../../sign-up/form.ts'
import { type PublicEvent, toPublicEvent } from '../../sign-up/public-events.ts'
import type { SignUpInput } from '../../sign-up/sign-up.ts'
import type { Store } from '../../store/store.ts'
import { type PlacesLeft, toPlacesLeft } from '../events/places-left.ts'

/** The sign-up form of an event, as its page shows it. Places are undefined without a limit. */
export type OpenSignUp = {
  form: SignUpForm
  event: PublicEvent
  places: PlacesLeft | undefined
  volunteerPlaces: PlacesLeft | undefined
}

/** Whether the places left are too few for a group. */
export function wouldWait(
  { places, volunteerPlaces }: OpenSignUp,
  { attendees, isVolunteer }: Pick<SignUpInput, 'attendees' | 'isVolunteer'>,
): boolean {
  const left = (isVolunteer ? volunteerPlaces : places)?.left
  return left !== undefined && left < attendees.length
}

/** Reads the sign-up form of an event; undefined if the event is not public, unless `showsClosed`, or a series. */
export async function openSignUpForm(
  store: Store,
  eventId: string,
  showsClosed = false,
): Promise<OpenSignUp | undefined> {
  const form = await readEventPage(store, eventId, showsClosed)
  if (!form) return undefined
  return {
    form,
    event: toPublicEvent(form.event),
    places: toPlacesLeft(form.places.participants),
    volunteerPlaces: toPlacesLeft(form.places.volunteers),
  }
}
