import type { Context } from 'hono'
import { isErrorOf } from '../../../model/api-error.ts'
import { formatDay } from '../../../model/dates.ts'
import { setProperty, valueAt } from '../../../model/json.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { RunningImport } from '../../../store/imports/running-import.ts'
import type { CollectionInfo, ShownValues } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { collectionPath, recordPath, seriesPath, undoPath } from '../../ui/paths.ts'
import { ownProperties } from '../form/change-dates.ts'
import { buildDates } from '../form/create-event.ts'
import { eventTime, timeControls } from '../form/event-time.tsx'
import { parseAnswers, readSubmitted, toQuestionErrors } from '../form/open-form.ts'
import { readValues } from '../form/question.ts'
import { type RecordFormProps, renderForm } from '../form/record-form.tsx'
import { parseRepetition, repetitionQuestion } from '../form/repetition-question.tsx'
import { type OpenSeries, openSeries } from './open-series.ts'

const questions = [eventTime, repetitionQuestion]

/** Renders the form for further dates of a series: one, or several that repeat. */
export async function renderAddPage(c: Context<DashboardEnv>, id: string) {
  const open = await openSeries(c, id)
  const times = readValues(questions, open.record.values)
  return renderForm({
    ...frameForm(c, open),
    values: { ...times, [timeControls.day]: '', [timeControls.lastDay]: '' },
  })
}

/** Adds dates to a series, with the values of the series: all or none. */
export async function submitDates(c: Context<DashboardEnv>, id: string) {
  const open = await openSeries(c, id)
  const { events, record, series } = open
  const { fields, submitted, isSaved } = await readSubmitted(c, questions)
  const renderAgain = (overrides: Partial<RecordFormProps>, status: 200 | 400) =>
    renderForm({ ...frameForm(c, open), values: submitted, ...overrides }, status)
  if (!isSaved) return renderAgain({ searches: fields }, 200)
  const { errors } = await parseAnswers(c, questions, submitted, {})
  const repetition = parseRepetition(submitted)
  const first = String(submitted[timeControls.day] ?? '')
  if (first === '' && Object.keys(errors).length === 0)
    return renderAgain({ errors: { [timeControls.day]: 'Enter the date' } }, 400)
  if (Object.keys(errors).length > 0) return renderAgain({ errors }, 400)
  const days = repetition && 'days' in repetition ? repetition.days : [first]
  const known = new Set([...series.coming, ...series.past].map(({ start }) => londonDay(start)))
  const double = days.find((day) => known.has(day))
  if (double !== undefined) {
    const message = `The series has a date on ${formatDay(double)} already`
    return renderAgain({ errors: { [timeControls.day]: message } }, 400)
  }
  const run = new RunningImport(c.var.store, {
    collection: 'events',
    edited: 'New dates',
    through: 'edit',
  })
  try {
    const dates = buildDates(sharedValues(events, record.values), id, days, submitted)
    const records = await c.var.openRecords()
    const source = await run.source()
    const counts = await records.upsertBatch(events.resource, dates, { source })
    await run.finish({ ...counts, rejected: 0 })
    return redirectWithFlash(c, recordPath(c, 'events', id), {
      notice: `${formatCount(dates.length, 'date')} added.`,
      ...(source.import !== undefined && { undo: undoPath(c, source.import) }),
    })
  } catch (error) {
    await run.discard()
    if (isErrorOf(error, 'BAD_REQUEST')) return renderAgain(toQuestionErrors(error, questions), 400)
    throw error
  }
}

/** The values of a series that its dates begin with. */
function sharedValues({ properties }: CollectionInfo, series: ShownValues): ShownValues {
  const values = {}
  for (const { name, path, isEditable } of properties)
    if (isEditable && !ownProperties.includes(path[0] ?? name))
      setProperty(values, path, valueAt(series, path))
  return values
}

const frameForm = (c: Context<DashboardEnv>, { record, crumb, events, name }: OpenSeries) => ({
  c,
  layout: {
    parts: [
      {
        title: 'When',
        hint: `UK time. ${name} gives its new dates their places, price and other details.`,
        questions,
      },
    ],
    otherParts: [],
    defaults: {},
  },
  title: 'Add dates',
  saveLabel: 'Add dates',
  crumbs: [{ name: events.label, href: collectionPath(c, 'events') }, crumb],
  action: `${seriesPath(c, record.id)}/add`,
  cancelPath: crumb.href,
  hidden: {},
})
