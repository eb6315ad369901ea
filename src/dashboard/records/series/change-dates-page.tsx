import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import { isErrorOf } from '../../../model/api-error.ts'
import { formatShortDay } from '../../../model/dates.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { joinNames } from '../../../platform/join-names.ts'
import { formatCount, pluralise } from '../../../platform/pluralise.ts'
import type { CollectionInfo, ShownValues } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { type CustomField, Fields, type FormField } from '../../ui/fields.tsx'
import { FieldsForm } from '../../ui/fields-form.tsx'
import {
  type FieldErrors,
  type FieldValues,
  hasErrors,
  parseFieldValues,
  textOf,
} from '../../ui/form-values.ts'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { collectionPath, messagesPath, recordPath, seriesPath } from '../../ui/paths.ts'
import { maxChangedDates, planDates } from '../form/change-dates.ts'
import { eventTime, timeControls, timesOn } from '../form/event-time.tsx'
import { parseAnswers, toQuestionErrors } from '../form/open-form.ts'
import { priceQuestion } from '../form/price-question.tsx'
import { propertyQuestion } from '../form/property-question.tsx'
import { buildPatch, hasSameAnswer, type RecordQuestion, readValues } from '../form/question.ts'
import { type OpenSeries, openSeries } from './open-series.ts'

const fromName = '$from'

const timeFields: readonly FormField[] = [
  { name: timeControls.starts, label: 'Starts', attributes: { class: 'narrow', type: 'time' } },
  { name: timeControls.ends, label: 'Ends', attributes: { class: 'narrow', type: 'time' } },
]

/** The times of an event, without its day. */
const times: RecordQuestion = {
  ...eventTime,
  label: 'Times',
  names: [timeControls.starts, timeControls.ends],
  Control: ({ values, errors }) => (
    <div class="trio">
      <Fields fields={timeFields} values={values} errors={errors} />
    </div>
  ),
}

/** What the form asks: the details that dates most often change together. */
function listQuestions({ properties }: CollectionInfo): RecordQuestion[] {
  const capacity = properties.find(({ name }) => name === 'bookingDetails.capacityTotal')
  return [
    times,
    ...(capacity ? [propertyQuestion(capacity, { label: 'Places', isNarrow: true })] : []),
    priceQuestion,
  ]
}

/** Renders the form that changes the dates of a series from one on. */
export async function renderChangeDatesPage(c: Context<DashboardEnv>, id: string) {
  const open = await openSeries(c, id)
  const values = readValues(listQuestions(open.events), open.record.values)
  return renderForm(c, open, { values })
}

/** Says what a change would do, or does it: the series and all dates change, or none. */
export async function submitChange(c: Context<DashboardEnv>, id: string) {
  const open = await openSeries(c, id)
  const { events, record, series } = open
  const questions = listQuestions(events)
  const rendered = readValues(questions, record.values)
  const form = await readFormBody(c.req)
  const submitted = {
    ...rendered,
    ...parseFieldValues([...questions, { names: [fromName] }], form),
  }
  const changed = questions.filter((question) => !hasSameAnswer(question, submitted, rendered))
  const { changes, errors } = await parseAnswers(c, changed, submitted, rendered)
  if (hasErrors(errors)) return renderForm(c, open, { values: submitted, errors })
  const from = textOf(submitted, fromName)
  const dates = series.coming.filter(({ start }) => start >= from)
  try {
    const { patches, kept } = planDates(
      dates.map(({ values }) => values),
      { series: record.values, changes, submitted },
    )
    if (form.step !== 'save' || changes.length === 0 || patches.length > maxChangedDates)
      return renderForm(c, open, {
        values: submitted,
        plan: {
          changed: patches.length,
          kept,
          held: dates
            .filter((date) => patches.some(({ eventId }) => eventId === date.id))
            .reduce((sum, { held }) => sum + held, 0),
        },
      })
    const hasNewTimes = changes.some(({ path: [name] }) => name === 'start' || name === 'end')
    const seriesPatch = {
      ...buildPatch(changes),
      ...(hasNewTimes && timesOn(londonDay(String(record.values.start)), submitted)),
      eventId: id,
    }
    const records = await c.var.openRecords()
    await records.upsertBatch(events.resource, [seriesPatch, ...patches])
    const path = hasNewTimes
      ? messagesPath(c, id, `/change?${new URLSearchParams({ from })}`)
      : recordPath(c, 'events', id)
    return redirectWithFlash(c, path, {
      notice: `${formatCount(patches.length, 'date')} changed.`,
    })
  } catch (error) {
    if (!isErrorOf(error, 'BAD_REQUEST')) throw error
    const problem = toQuestionErrors(error, questions)
    return renderForm(c, open, { values: submitted, ...problem })
  }
}

/** What a change would do. */
type Plan = { changed: number; kept: readonly ShownValues[]; held: number }

type Shown = { values: FieldValues; errors?: FieldErrors; error?: string; plan?: Plan }

function renderForm(
  c: Context<DashboardEnv>,
  { events, series, crumb, name, record }: OpenSeries,
  { values, errors = {}, error, plan }: Shown,
) {
  const path = `${seriesPath(c, record.id)}/change`
  const canSave = plan !== undefined && plan.changed > 0 && plan.changed <= maxChangedDates
  return c.html(
    <Page
      c={c}
      title="Change dates"
      lead={`${name}. Earlier dates do not change.`}
      crumbs={[{ name: events.label, href: collectionPath(c, 'events') }, crumb]}
      tabs={[]}
    >
      <FieldsForm
        action={path}
        parts={[
          {
            title: 'Dates',
            fields: [
              {
                name: fromName,
                label: 'From',
                options: series.coming.map(({ start }) => ({
                  value: start,
                  label: formatShortDay(londonDay(start)),
                })),
              },
            ],
          },
          ...listQuestions(events).map((question) => ({
            title: question.label,
            fields: [toField(c, question)],
          })),
        ]}
        values={values}
        errors={errors}
        error={error}
        hidden={{ step: canSave ? 'save' : 'check' }}
        saveLabel={canSave ? `Save ${formatCount(plan.changed, 'date')}` : 'Check the change'}
        buttons={
          canSave && (
            <button type="submit" class="button" name="step" value="check">
              Check again
            </button>
          )
        }
        cancelPath={crumb.href}
      >
        {plan && (
          <p class="notice" role="status">
            <span>{describePlan(plan)}</span>
          </p>
        )}
      </FieldsForm>
      <p class="after">
        <a href={`${crumb.href}/edit`}>Change other details</a>
      </p>
    </Page>,
    hasErrors(errors) || error ? 400 : 200,
  )
}

const toField = (
  c: Context<DashboardEnv>,
  { Control, ...question }: RecordQuestion,
): CustomField => ({
  ...question,
  Control: (shown) => <Control c={c} chosen={[]} search={undefined} {...shown} />,
})

/** Such as "26 dates change. 9 Jan 2027 keeps another value. 38 places are booked on the changed dates." */
function describePlan({ changed, kept, held }: Plan): string {
  if (changed > maxChangedDates)
    return `${formatCount(changed, 'date')} would change. Choose a later first date: ${maxChangedDates} can change at once.`
  const days = kept.map(({ start }) => formatShortDay(londonDay(String(start))))
  return [
    changed === 0
      ? 'No date changes.'
      : `${pluralise(changed, '1 date changes', `${changed} dates change`)}.`,
    days.length > 0 &&
      `${joinNames(days)} ${pluralise(days.length, 'keeps another value', 'keep other values')}.`,
    held > 0 &&
      `${pluralise(held, '1 place is', `${held} places are`)} booked on the changed dates.`,
  ]
    .filter(Boolean)
    .join(' ')
}
