import { isCalled } from './asked-forms.ts'
import { areAlike, plain, usualName } from './called.ts'
import type { As } from './mapping.ts'
import type { Place } from './places.ts'
import { type Finding, usualPlaces } from './usual-headings.ts'

/** A column and a place it goes to; one column may go to several, and several to one, which are joined. */
export type Assigned = { heading: string; place: Place; as: As; by?: Finding }

/**
 * Where the columns of these headings go: first to what is called just so, then to what is usual,
 * then to what is called alike. First name and surname also make a full name, where that is a place.
 */
export function assigned(
  collection: string,
  headings: readonly string[],
  places: readonly Place[],
): Assigned[] {
  const found: Assigned[] = []
  const isTaken = (place: Place) => found.some((one) => one.place === place)
  const isPlaced = (heading: string) => found.some((one) => one.heading === heading)
  // Without a column for the user, the "name" in a list of bookings is that of the person.
  const isOfBooker = ({ path }: Place) =>
    collection === 'bookings' &&
    path === 'name' &&
    !headings.some((heading) => plain(heading) === 'user name')
  const [asked, own] = [true, false].map((isAsked) =>
    places.filter((place) => isAsked === (place.question !== undefined) && !isOfBooker(place)),
  )
  const assign = (fits: (heading: string, place: Place) => boolean, among = own) => {
    for (const heading of headings) {
      const place = isPlaced(heading)
        ? undefined
        : among?.find((place) => !isTaken(place) && fits(heading, place))
      if (place) found.push(taken(heading, place))
    }
  }
  // A question that is only like another asks something else.
  assign((heading, { names }) => names.some((name) => isCalled(name, heading)), asked)
  assign((heading, { names }) => names.some((name) => plain(name) === plain(heading)))
  for (const heading of headings.toSorted((a, b) => rank(a) - rank(b))) {
    for (const { path, by } of usualPlaces[collection]?.[usualName(heading) ?? ''] ?? []) {
      const place = places.find((one) => one.path === path)
      const others = found.filter((one) => one.place === place)
      const isOwn = others.some((one) => one.heading === heading)
      const isPart = others.length > 0 && others.every((one) => areParts(one.heading, heading))
      if (!place || isOwn || (others.length > 0 && !isPart)) continue
      found.push({ ...taken(heading, place), ...(by && { by }) })
    }
  }
  assign((heading, { names }) => {
    const usual = usualName(heading)
    return usual !== undefined && names.some((name) => usualName(name) === usual)
  })
  assign((heading, { names }) => {
    const other = instead[usualName(heading) ?? '']
    return other !== undefined && names.some((name) => usualName(name) === other)
  })
  assign((heading, { names }) => names.some((name) => areAlike(name, heading)))
  return [...found, ...fullName(headings, places.find(isFullName), found)]
}

/** What a column may stand for where nothing is called as it is usually called. */
const instead: Readonly<Record<string, string>> = { Mobile: 'Phone', Phone: 'Mobile' }

const taken = (heading: string, place: Place): Assigned => ({
  heading,
  place,
  as: place.as,
  ...(place.as === 'link' && { by: 'id' }),
})

const isFullName = ({ names }: Place) => names.some((name) => usualName(name) === 'Full Name')

/** Whether two columns are the parts of one value: a name, or a day and a time of day. */
function areParts(one: string, other: string): boolean {
  const pair = [usualName(one), usualName(other)]
  return partsOfOne.some((parts) => parts.every((part) => pair.includes(part)))
}

const partsOfOne: readonly (readonly [string, string])[] = [
  ['First Name', 'Surname'],
  ['Event Start', 'Event Start Time'],
  ['Event End', 'Event End Time'],
]

/** Second parts come after first ones, wherever they stand in the file; and when something was completed before when it was begun. */
const rank = (heading: string) => {
  const usual = usualName(heading)
  if (usual === 'Completed') return -1
  return partsOfOne.some(([, second]) => second === usual) ? 1 : 0
}

/** First name and surname for a full name that no column has, in this order whatever that of the file. */
function fullName(
  headings: readonly string[],
  place: Place | undefined,
  found: readonly Assigned[],
): Assigned[] {
  if (!place || found.some((one) => one.place === place)) return []
  return ['First Name', 'Surname'].flatMap((part) => {
    const heading = headings.find((heading) => usualName(heading) === part)
    return heading === undefined ? [] : [taken(heading, place)]
  })
}
