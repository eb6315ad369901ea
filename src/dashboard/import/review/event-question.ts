import { setEvent } from '../../../import/candidates/set-event.ts'
import { createDestination } from '../../../import/destination/destination.ts'
import { chosenEventId, type Mapping, needsEvent } from '../../../import/mapping/mapping.ts'
import { formatShortMoment } from '../../../model/dates.ts'
import { RunningImport } from '../../../store/imports/running-import.ts'
import { findSeries } from '../../../store/sign-up/series.ts'
import { type Choice, findChoices, loadChoices, loadValues } from '../../collection/choices.ts'
import { describeCollection } from '../../collection/collection-info.ts'
import { findName, type PickerSearch, searchName } from '../../collection/picker.tsx'
import { loadRecords } from '../../collection/read.ts'
import type { OpenedFile } from '../steps/open-file.ts'

/** The name of the form field with the event of all bookings. */
export const eventField = 'shared.eventId'

/** The question for the event of all bookings in a file, with the choices to show. */
export type SheetEventQuestion = {
  /** The mapping with the chosen event; undefined without one, or for a series without a date. */
  mapping: Mapping | undefined
  chosen: readonly Choice[]
  search: PickerSearch | undefined
  error: string | undefined
}

/** The question for a file of bookings without a column for the event; undefined for any other file. */
export async function readEventQuestion(
  opened: OpenedFile,
  mapping: Mapping,
): Promise<SheetEventQuestion | undefined> {
  if (!needsEvent(mapping)) return undefined
  const { c } = opened
  const eventId = chosenEventId(mapping)
  const events = await describeCollection(c, 'events')
  const event = eventId === '' ? undefined : await loadValues(c, events, eventId)
  if (!event) return askForEvent(opened)
  const series = await findSeries(c.var.store, [eventId])
  if (series.has(eventId))
    return askForDate(String(event.name), await listDates(c, events, eventId))
  const { destination: parts } = await c.var.openRecords()
  const run = new RunningImport(c.var.store, { collection: mapping.collection })
  const destination = createDestination(parts, mapping.collection, run)
  return {
    mapping: await setEvent(destination, mapping, eventId),
    chosen: await loadChoices(c, 'events', [eventId]),
    search: isSearching(opened) ? await searchEvents(opened) : undefined,
    error: undefined,
  }
}

const isSearching = ({ form }: OpenedFile) => form.get(findName) === eventField

async function searchEvents({ c, form }: OpenedFile): Promise<PickerSearch> {
  const text = form.get(searchName(eventField))
  return { text, choices: await findChoices(c, 'events', text) }
}

async function askForEvent(opened: OpenedFile): Promise<SheetEventQuestion> {
  const isAnswered = opened.form.has('id') && !isSearching(opened)
  return {
    mapping: undefined,
    chosen: [],
    search: await searchEvents(opened),
    error: isAnswered ? 'Choose an event.' : undefined,
  }
}

const askForDate = (name: string, dates: readonly Choice[]): SheetEventQuestion => ({
  mapping: undefined,
  chosen: [],
  search: { text: name, choices: dates },
  error: `${name} repeats: choose one of its dates.`,
})

const maxDates = 20

/** Lists the dates of a series that people may have a sign-in sheet for, the latest first. */
async function listDates(
  c: OpenedFile['c'],
  events: Parameters<typeof loadRecords>[1],
  eventId: string,
): Promise<Choice[]> {
  const soon = new Date(Date.now() + 24 * 3_600_000).toISOString()
  const query = new URLSearchParams({
    $filter: `parentEventId eq '${eventId.replaceAll("'", "''")}' and start lt ${soon}`,
    $orderby: 'start desc',
    limit: String(maxDates),
  })
  const { records } = await loadRecords(c, events, query)
  return records.map(({ eventId: id, name, start }) => ({
    id: String(id),
    title: formatShortMoment(String(start)),
    detail: String(name ?? ''),
  }))
}
