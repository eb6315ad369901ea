import { invalidField } from '../../../model/api-error.ts'
import { formatDay, formatTime } from '../../../model/dates.ts'
import { fromLondon, toLondon } from '../../../model/timestamp.ts'
import { FormFieldControl } from '../../ui/fields.tsx'
import { type FieldErrors, type FieldValues, textOf } from '../../ui/form-values.ts'
import { toChanges } from './choice-question.tsx'
import type { QuestionControlProps, RecordQuestion } from './question.ts'

/** The form fields of an event's time, in UK time. The last day is empty for an event on one day. */
export const timeControls = { day: '$day', starts: '$starts', ends: '$ends', lastDay: '$lastDay' }

const { day, starts, ends, lastDay } = timeControls

/** The question for an event's start and end. */
export const eventTime: RecordQuestion = {
  label: 'Date and time',
  names: [day, starts, ends, lastDay],
  properties: ['start', 'end'],
  read({ start, end }) {
    const [startDay = '', startTime = ''] = splitTime(start)
    const [endDay = '', endTime = ''] = splitTime(end)
    const isLater = endDay !== '' && endDay !== startDay
    return {
      [day]: startDay,
      [starts]: startTime,
      [ends]: endTime,
      [lastDay]: isLater ? endDay : '',
    }
  },
  parse({ submitted, rendered }) {
    const times = parseTimes(submitted)
    if ('errors' in times) return times
    // A time that nobody changed keeps its seconds, and its hour when the clocks go back.
    const isSame = (...names: string[]) =>
      names.every((name) => textOf(submitted, name) === textOf(rendered, name))
    return {
      changes: toChanges({
        ...(!isSame(day, starts) && { start: times.start }),
        ...(!isSame(day, ends, lastDay) && { end: times.end }),
      }),
    }
  },
  Control: TimeFields,
}

const splitTime = (time: unknown): string[] =>
  typeof time === 'string' ? toLondon(time).split('T') : []

/** The start and the end of the event on a form as timestamps, null for none, or errors. */
export function parseTimes(
  submitted: FieldValues,
): { start: string | null; end: string | null } | { errors: FieldErrors } {
  const texts = [day, starts, ends, lastDay].map((name) => textOf(submitted, name).trim())
  const [startDay = '', startTime = '', endTime = '', endDay = ''] = texts
  if (texts.every((text) => text === '')) return { start: null, end: null }
  if (startDay === '') return { errors: { [day]: 'Enter the date of the event' } }
  if (startTime === '') return { errors: { [starts]: 'Enter the time when it starts' } }
  const start = fromLondon(`${startDay}T${startTime}`)
  if (!start) return { errors: { [starts]: 'Enter a date and a time that exist' } }
  if (endTime === '') {
    if (endDay === '') return { start, end: null }
    return { errors: { [ends]: 'Enter the time when it ends' } }
  }
  const end = fromLondon(`${endDay || startDay}T${endTime}`)
  if (!end) return { errors: { [ends]: 'Enter a time that exists' } }
  if (end <= start) {
    const after = endDay === '' || endDay === startDay ? formatTime(start) : 'the start'
    return { errors: { [ends]: `Enter an end time after ${after}` } }
  }
  return { start, end }
}

/** The start and the end of a date of a series, by the times on its form. Throws 400 for a time that the day lacks. */
export function timesOn(day: string, submitted: FieldValues) {
  const first = textOf(submitted, timeControls.day)
  const last = textOf(submitted, timeControls.lastDay)
  const times = parseTimes({
    ...submitted,
    [timeControls.day]: day,
    [timeControls.lastDay]: last ? shiftDay(last, first, day) : '',
  })
  if ('errors' in times)
    throw invalidField('start', 'invalid_format', `must exist on ${formatDay(day)}.`)
  return times
}

/** Moves a day by the time between two other days. */
const shiftDay = (day: string, from: string, to: string) =>
  new Date(Date.parse(day) + Date.parse(to) - Date.parse(from)).toISOString().slice(0, 10)

function TimeFields({ values, errors }: QuestionControlProps) {
  const field = (name: string, label: string, type: 'date' | 'time') => (
    <FormFieldControl
      field={{ name, label, attributes: { class: 'narrow', type } }}
      values={values}
      errors={errors}
    />
  )
  return (
    <>
      <div class="trio">
        {field(day, 'Date', 'date')}
        {field(starts, 'Starts', 'time')}
        {field(ends, 'Ends', 'time')}
      </div>
      <details class="fold" open={textOf(values, lastDay) !== ''}>
        <summary class="quiet">It ends on another day</summary>
        {field(lastDay, 'Last day', 'date')}
      </details>
    </>
  )
}
