import { formatDay } from '../../../model/dates.ts'
import {
  describeDay,
  describeFrequency,
  describeRepetition,
  listDays,
  maxDates,
  type Repetition,
} from '../../../model/repetition.ts'
import { pluralise } from '../../../platform/pluralise.ts'
import { Fields, type FormField } from '../../ui/fields.tsx'
import { type FieldErrors, type FieldValues, textOf, textsOf } from '../../ui/form-values.ts'
import { timeControls } from './event-time.tsx'
import type { QuestionControlProps, RecordQuestion } from './question.ts'

const repeats = '$repeats'
const every = '$every'
const unit = '$unit'
const count = '$count'
const until = '$until'
const skipped = '$skipped'

const units: readonly { value: string; label: string; unit: Repetition['unit'] }[] = [
  { value: 'days', label: 'days', unit: 'day' },
  { value: 'weeks', label: 'weeks', unit: 'week' },
  { value: 'weekdays', label: 'months, on the same weekday', unit: 'weekday of the month' },
  { value: 'months', label: 'months, on the same day of the month', unit: 'month' },
]

const usual: Readonly<Record<string, Omit<Repetition, 'end'>>> = {
  week: { unit: 'week', every: 1 },
  fortnight: { unit: 'week', every: 2 },
  month: { unit: 'weekday of the month', every: 1 },
}

/** The question how often a new event takes place. The event is created with its dates, so it sets no property. */
export const repetitionQuestion: RecordQuestion = {
  label: 'Repeats',
  names: [repeats, every, unit, count, until, skipped],
  lists: [skipped],
  properties: ['recurrence.type', 'recurrence.recurring', 'recurrence.rrule'],
  read: () => ({ [unit]: 'weeks' }),
  parse({ submitted }) {
    const repetition = parseRepetition(submitted)
    return repetition && 'errors' in repetition ? repetition : { changes: [] }
  },
  Control: RepetitionFields,
}

/** The name of the checkbox that applies changes of a series to its later dates. */
export const laterDatesName = '$laterDates'

/** Shows how often a stored event takes place, and asks whether its later dates change with it. */
export const repetitionInWords: RecordQuestion = {
  label: 'Repeats',
  names: [laterDatesName],
  properties: [],
  read: () => ({ [laterDatesName]: 'yes' }),
  parse: () => ({ changes: [] }),
  Control({ values }) {
    const rule = textOf(values, 'recurrence.rrule')
    if (textOf(values, 'recurrence.recurring') !== 'true' || rule === '') return null
    return (
      <div>
        <p class="notice">{describeRepetition(rule)}</p>
        <label class="choice">
          <input
            type="checkbox"
            name={laterDatesName}
            value="yes"
            checked={textOf(values, laterDatesName) === 'yes'}
          />
          <span>
            Change its later dates too
            <small>A date that differs from the series in a detail keeps it.</small>
          </span>
        </label>
      </div>
    )
  },
}

/** The repetition on a form with its days, undefined for an event on one day, or errors. */
export function parseRepetition(
  submitted: FieldValues,
): (Repetition & { first: string; days: string[] }) | { errors: FieldErrors } | undefined {
  const choice = textOf(submitted, repeats)
  if (choice === '') return undefined
  const first = textOf(submitted, timeControls.day)
  if (first === '') return { errors: { [timeControls.day]: 'Enter the date of the event' } }
  const frequency = usual[choice] ?? parseFrequency(submitted)
  if ('errors' in frequency) return frequency
  const end = parseEnd(submitted, first)
  if ('errors' in end) return end
  const repetition = { ...frequency, end }
  const days = listDays(first, repetition)
  if (days.length > maxDates)
    return { errors: { [count]: `Enter an end with at most ${maxDates} dates` } }
  const skippedDays = textsOf(submitted, skipped)
  const remaining = days.filter((day) => !skippedDays.includes(day))
  if (remaining.length === 0) return { errors: { [skipped]: 'Leave at least one date' } }
  return { ...repetition, first, days: remaining }
}

function parseFrequency(submitted: FieldValues): Omit<Repetition, 'end'> | { errors: FieldErrors } {
  const number = parseCount(textOf(submitted, every), 52)
  const chosen = units.find(({ value }) => value === textOf(submitted, unit))
  if (number === undefined || !chosen) return { errors: { [every]: 'Enter a number from 1 to 52' } }
  return { unit: chosen.unit, every: number }
}

function parseEnd(
  submitted: FieldValues,
  first: string,
): Repetition['end'] | { errors: FieldErrors } {
  const countText = textOf(submitted, count).trim()
  const untilDay = textOf(submitted, until)
  if (countText !== '' && untilDay !== '')
    return { errors: { [count]: 'Enter a number of dates or the last day, but not both' } }
  if (untilDay !== '')
    return untilDay >= first
      ? { until: untilDay }
      : { errors: { [until]: `Enter a day after ${formatDay(first)}` } }
  const dates = parseCount(countText, maxDates)
  return dates === undefined
    ? { errors: { [count]: `Enter a number of dates from 1 to ${maxDates}, or the last day` } }
    : { count: dates }
}

function parseCount(text: string, max: number): number | undefined {
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 && value <= max ? value : undefined
}

const patternFields: readonly FormField[] = [
  { name: every, label: 'Every', attributes: { class: 'narrow', inputmode: 'numeric' } },
  { name: unit, label: 'Unit', options: units },
]

const endFields: readonly FormField[] = [
  { name: count, label: 'Number of dates', attributes: { class: 'narrow', inputmode: 'numeric' } },
  { name: until, label: 'Or until', attributes: { class: 'narrow', type: 'date' } },
]

function RepetitionFields({ values, errors }: QuestionControlProps) {
  const first = textOf(values, timeControls.day)
  const choice = textOf(values, repeats)
  const repetition = parseRepetition({ ...values, [skipped]: [] })
  const choices = [
    { value: '', words: 'Does not repeat', day: '' },
    ...Object.entries(usual).map(([value, frequency]) => ({
      value,
      words: describeFrequency(frequency),
      day: describeDay(first, frequency.unit),
    })),
    { value: 'other', words: 'Another pattern', day: '' },
  ]
  return (
    <>
      <fieldset class="field">
        <legend>Repeats</legend>
        {choices.map(({ value, words, day }) => (
          <label class="choice">
            <input type="radio" name={repeats} value={value} checked={value === choice} />
            <span>
              {words} <span data-frequency={value}>{day}</span>
            </span>
          </label>
        ))}
        <div class="under trio">
          <Fields fields={patternFields} values={values} errors={errors} />
        </div>
      </fieldset>
      <div class="trio repetition-end">
        <Fields fields={endFields} values={values} errors={errors} />
        <button type="submit" class="button" name="$check" value="dates" formnovalidate>
          Check dates
        </button>
      </div>
      {repetition && 'days' in repetition && (
        <Dates
          days={repetition.days}
          skippedDays={textsOf(values, skipped)}
          error={errors[skipped]}
        />
      )}
      <script type="module" src="/assets/event-form.js" />
    </>
  )
}

type DatesProps = {
  days: readonly string[]
  skippedDays: readonly string[]
  error?: string | undefined
}

/** Renders the number of dates, and a fold to skip some of them. */
function Dates({ days, skippedDays, error }: DatesProps) {
  const remaining = days.filter((day) => !skippedDays.includes(day))
  const [first = '', last = ''] = [remaining.at(0), remaining.at(-1)]
  return (
    <div>
      <p class="notice" role="status">
        {pluralise(
          remaining.length,
          `1 date: ${formatDay(first)}.`,
          `${remaining.length} dates, from ${formatDay(first)} to ${formatDay(last)}.`,
        )}
      </p>
      <details class="fold" open={skippedDays.length > 0 || error !== undefined}>
        <summary>Skip dates</summary>
        <fieldset class="field">
          <legend class="visually-hidden">Dates to skip</legend>
          {error && (
            <span class="error" id={`field-${skipped}`}>
              {error}
            </span>
          )}
          {days.map((day) => (
            <label class="choice">
              <input
                type="checkbox"
                name={skipped}
                value={day}
                checked={skippedDays.includes(day)}
              />
              <span>Skip {formatDay(day)}</span>
            </label>
          ))}
        </fieldset>
      </details>
    </div>
  )
}
