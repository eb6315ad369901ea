import type { Context } from 'hono'
import * as z from 'zod'
import { parsePreconditions } from '../../../http/preconditions.ts'
import { isErrorOf } from '../../../model/api-error.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { recordTitle } from '../../collection/collection-info.ts'
import { loadRecord } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { type FieldValues, parseRenderedValues, textOf } from '../../ui/form-values.ts'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { collectionPath, messagesPath, recordPath } from '../../ui/paths.ts'
import { changeLaterDates } from './change-dates.ts'
import {
  type OpenRecordForm,
  openRecordForm,
  parseAnswers,
  readSubmitted,
  toQuestionErrors,
} from './open-form.ts'
import {
  buildPatch,
  hasSameAnswer,
  type PropertyChange,
  type RecordQuestion,
  readValues,
} from './question.ts'
import { type RecordFormProps, renderForm } from './record-form.tsx'
import { laterDatesName } from './repetition-question.tsx'

const RenderedValues = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

/** Renders the form for an existing record. */
export async function renderEditPage(c: Context<DashboardEnv>, name: string, id: string) {
  const form = await openRecordForm(c, name, false)
  const record = await loadRecord(c, form.collection, id)
  const values = readValues(form.questions, record.values)
  return renderForm({
    ...frameForm(c, form, id, recordTitle(form.collection, record.values)),
    values,
    hidden: toHidden(record.etag, values),
  })
}

/** Saves the changed answers. Renders the form again on errors, or if somebody else changed the record in the meantime. */
export async function saveEdit(c: Context<DashboardEnv>, name: string, id: string) {
  const form = await openRecordForm(c, name, false)
  const { collection, questions } = form
  const { fields, submitted, isSaved } = await readSubmitted(c, questions)
  const rendered = parseRenderedValues(RenderedValues, fields.$rendered)
  const etag = String(fields.$etag ?? '')
  const changed = questions.filter((question) => !hasSameAnswer(question, submitted, rendered))
  const renderAgain = (overrides: Partial<RecordFormProps>, status: 200 | 400 | 412) =>
    renderForm(
      {
        ...frameForm(c, form, id, form.collection.singularLabel),
        values: submitted,
        hidden: toHidden(etag, rendered),
        ...overrides,
      },
      status,
    )
  if (!isSaved) return renderAgain({ searches: fields }, 200)
  const { changes, errors } = await parseAnswers(c, changed, submitted, rendered)
  if (Object.keys(errors).length > 0) return renderAgain({ errors }, 400)
  try {
    const changesDates = submitted[laterDatesName] === 'yes'
    const before = changesDates ? await loadRecord(c, collection, id) : undefined
    if (changes.length > 0) {
      const records = await c.var.openRecords()
      await records.merge(
        collection.resource,
        id,
        buildPatch(changes),
        parsePreconditions({ 'If-Match': etag }),
        collection.resource.related,
      )
    }
    const laterDates = before
      ? await changeLaterDates(c, collection, id, { series: before.values, changes, submitted })
      : 0
    const message =
      name === 'events' && announcements.find(({ concerns }) => changes.some(concerns))
    // The page offers a message to the people who are booked, or leads on to the event.
    const path = message ? messagesPath(c, id, message.page) : recordPath(c, name, id)
    return redirectWithFlash(c, path, {
      notice: describeResult(changes.length, laterDates),
    })
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST')) return renderAgain(toQuestionErrors(error, questions), 400)
    if (!isErrorOf(error, 'PRECONDITION_FAILED')) throw error
  }
  const record = await loadRecord(c, collection, id)
  const current = readValues(questions, record.values)
  const conflicting = changed.filter((question) => !hasSameAnswer(question, current, rendered))
  return renderAgain(
    {
      values: mergeAnswers(questions, changed, submitted, current),
      hidden: toHidden(record.etag, current),
      error:
        'Somebody else changed this record while you had it open, so nothing was saved. Your changes are still here. If you save now, they replace the other person’s.',
      errors: Object.fromEntries(
        conflicting.map((question) => [question.names[0], describeConflict(question, current)]),
      ),
    },
    412,
  )
}

type Announcement = { page: string; concerns: (change: PropertyChange) => boolean }

/** The changes of an event that matter to the people who are booked, each with the page of messages that offers to tell them. */
const announcements: readonly Announcement[] = [
  {
    page: '/change',
    concerns: ({ path: [first = ''] }) => ['start', 'end', 'venue'].includes(first),
  },
  {
    page: '/state',
    concerns: ({ path }) =>
      ['bookable', 'concluded', 'bookingDetails.closed', 'bookingDetails.bookable'].includes(
        path.join('.'),
      ),
  },
]

function describeResult(changes: number, laterDates: number): string {
  if (changes === 0) return 'No changes.'
  if (laterDates === 0) return 'Saved.'
  return `Saved, with ${formatCount(laterDates, 'later date')}.`
}

const frameForm = (c: Context<DashboardEnv>, form: OpenRecordForm, id: string, title: string) => {
  const path = recordPath(c, form.collection.name, id)
  return {
    ...{
      c,
      layout: form.layout,
      title: `Edit ${title}`,
      saveLabel: `Save ${form.collection.singularLabel}`,
    },
    action: `${path}/edit`,
    cancelPath: path,
    crumbs: [
      { name: form.collection.label, href: collectionPath(c, form.collection.name) },
      { name: title, href: path },
    ],
  }
}

const toHidden = (etag: string, rendered: FieldValues) => ({
  $etag: etag,
  $rendered: JSON.stringify(rendered),
})

/** The submitted answers to the changed questions and the current ones to the others. */
const mergeAnswers = (
  questions: readonly RecordQuestion[],
  changed: readonly RecordQuestion[],
  submitted: FieldValues,
  current: FieldValues,
): FieldValues =>
  Object.fromEntries(
    questions.flatMap((question) => {
      const values = changed.includes(question) ? submitted : current
      return question.names.map((name) => [name, values[name] ?? ''])
    }),
  )

function describeConflict(
  { names: [name = ''], collection }: RecordQuestion,
  current: FieldValues,
) {
  if (collection) return 'was changed by somebody else.'
  return `was changed by somebody else to: ${textOf(current, name) || '(empty)'}`
}
