import { readEventPage, type SignUpForm } from '../../sign-up/form.ts'
import { type PublicEvent, toPublicEvent } from '../../sign-up/public-events.ts'
import type { SignUpInput } from '../../sign-up/sign-up.ts'
import type { Store } from '../../store/store.ts'
import { type PlacesLeft, toPlacesLeft } from '../events/places-left.ts'
import { type DateWithPlaces, readDatesWithPlaces } from '../events/series-page.tsx'

/** The sign-up form of an event, as its page shows it. Places are undefined without a limit. */
export type OpenSignUp = {
  form: SignUpForm
  event: PublicEvent
  places: PlacesLeft | undefined
  volunteerPlaces: PlacesLeft | undefined
  /** The dates of a series that are booked at once. */
  dates: readonly DateWithPlaces[]
}

type Group = Pick<SignUpInput, 'attendees' | 'isVolunteer'>

/** Whether the places left are too few for a group: of a series, those of every date. */
export const wouldWait = (open: OpenSignUp, group: Group): boolean =>
  open.dates.length > 0
    ? findFullDates(open, group).length === open.dates.length
    : isFull(open, group)

/** The dates of a series on which the places left are too few for a group. */
export const findFullDates = ({ dates }: OpenSignUp, group: Group): PublicEvent[] =>
  dates.filter((places) => isFull(places, group)).map(({ date }) => date)

function isFull(
  { places, volunteerPlaces }: Pick<OpenSignUp, 'places' | 'volunteerPlaces'>,
  { attendees, isVolunteer }: Group,
): boolean {
  const left = (isVolunteer ? volunteerPlaces : places)?.left
  return left !== undefined && left < attendees.length
}

/** Reads the sign-up form of an event; undefined if the event is not public, unless `showsClosed`, or a series that is booked by its dates. */
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
    dates: await readDatesWithPlaces(store, form.dates?.map(({ event }) => event) ?? []),
  }
}
