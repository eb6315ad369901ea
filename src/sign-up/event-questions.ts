import * as z from 'zod'
import { ApiError, invalidInput } from '../model/api-error.ts'
import { messages, tooLong, type ValidationError, validate } from '../model/validation-error.ts'
import { storeBooksAllDates, storeEventQuestions } from '../store/sign-up/event-questions.ts'
import type { Store } from '../store/store.ts'

const text = (max: number) =>
  z.string(messages.text).trim().min(1, messages.notEmpty).max(max, messages.maxCharacters(max))

const maxAnswerCharacters = 1000

const maxDays = 30
const wholeDays = `must be a whole number from 0 to ${maxDays}.`

/** A question that an event asks besides the sign-up fields. Its answers are shown on the register only. */
const StoredQuestion = z
  .strictObject({
    id: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, - or _.'),
    label: text(200),
    hint: z.string(messages.text).max(500, messages.maxCharacters(500)).optional(),
    /** The reason for asking, which people read. */
    purpose: text(500),
    required: z.boolean(messages.boolean),
    /** The last day on which the answers are needed. */
    deleteAfter: z.iso.date(messages.date).optional(),
    /** The same as a number of days after the event, so that every date of a series can ask the question. */
    deleteDaysAfter: z.int(wholeDays).min(0, wholeDays).max(maxDays, wholeDays).optional(),
  })
  .refine(
    ({ deleteAfter, deleteDaysAfter }) =>
      (deleteAfter === undefined) !== (deleteDaysAfter === undefined),
    {
      path: ['deleteAfter'],
      message: 'must be the last day on which the answers are needed, or deleteDaysAfter be given.',
    },
  )

export type StoredQuestion = z.infer<typeof StoredQuestion>

/** A question of an event, with the last day on which its answers are needed. */
export type EventQuestion = Omit<StoredQuestion, 'deleteAfter' | 'deleteDaysAfter'> & {
  deleteAfter: string
}

/** The questions of an event. */
export const EventQuestions = z
  .array(StoredQuestion, messages.list)
  .max(20, 'must be a list of at most 20.')
  .refine(
    (questions) => new Set(questions.map(({ id }) => id)).size === questions.length,
    'must have different ids.',
  )

/** Makes a date ask the questions of its series again. Throws 404 for an unknown event. */
export async function askQuestionsOfSeries(store: Store, eventId: string): Promise<void> {
  if (!(await storeEventQuestions(store, eventId, undefined))) throw noEvent()
}

const noEvent = () => new ApiError('NOT_FOUND', 'There is no event with this id.')

/** Replaces the questions of an event or of all dates of a series. Throws 400 with every validation error, 404 for an unknown event. */
export async function saveEventQuestions(
  store: Store,
  eventId: string,
  input: unknown,
): Promise<void> {
  const checked = validate(EventQuestions, input)
  if ('errors' in checked) throw invalidInput(checked.errors)
  if (!(await storeEventQuestions(store, eventId, JSON.stringify(checked.value)))) throw noEvent()
}

/** Sets whether people can sign up for all dates of a series at once. Throws 404 for an event without dates. */
export async function saveBooksAllDates(
  store: Store,
  eventId: string,
  value: boolean,
): Promise<void> {
  if (!(await storeBooksAllDates(store, eventId, value)))
    throw new ApiError('NOT_FOUND', 'There is no series of dates with this id.')
}

/** The answers to an event's questions, without empty ones, or every error. */
export function checkQuestionAnswers(
  questions: readonly EventQuestion[],
  input: Readonly<Record<string, unknown>>,
): { answers: Record<string, string>; errors: ValidationError[] } {
  const errors: ValidationError[] = []
  const answers: Record<string, string> = {}
  const ids = new Set(questions.map(({ id }) => id))
  for (const field of Object.keys(input))
    if (!ids.has(field))
      errors.push({ field, message: 'is not a question of this event.', code: 'unknown_field' })
  for (const { id, required } of questions) {
    const value = input[id] ?? ''
    if (typeof value !== 'string') {
      errors.push({ field: id, message: messages.text, code: 'invalid_type' })
    } else if (value.length > maxAnswerCharacters) {
      errors.push(tooLong(id, maxAnswerCharacters))
    } else if (value.trim()) {
      answers[id] = value.trim()
    } else if (required) {
      errors.push({ field: id, message: messages.notEmpty, code: 'required' })
    }
  }
  return { answers, errors }
}
