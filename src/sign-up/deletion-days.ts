import { toLondon } from '../model/timestamp.ts'
import type { EventQuestion, StoredQuestion } from './event-questions.ts'
import type { EventDocument } from './public-events.ts'

type EventTimes = Pick<EventDocument, 'start' | 'end'>

const daysAfterEvent = 30

/**
 * The day in the United Kingdom after which the data of people who did not come is deleted;
 * empty, and so in the past, for an event without a time.
 */
export const lastDayOfData = (event: EventTimes): string => addDays(event, daysAfterEvent)

/** The day after which the messages about an event are deleted: for a late one, as many days after it is sent. */
export function lastDayOfMessages(event: EventTimes): string {
  const days = [lastDayOfData(event), lastDayOfData({ start: new Date().toISOString() })]
  return days.toSorted().at(-1) ?? ''
}

function addDays({ start, end }: EventTimes, days: number): string {
  const day = Date.parse(toLondon(end ?? start ?? '').slice(0, 10))
  if (Number.isNaN(day)) return ''
  return new Date(day + days * 86_400_000).toISOString().slice(0, 10)
}

/** Parses the questions of an event, and computes the last day on which the answers to each are needed. */
export function parseQuestions(event: EventTimes, questions: string): EventQuestion[] {
  const stored: StoredQuestion[] = JSON.parse(questions)
  return stored.map(({ deleteAfter, deleteDaysAfter = 0, ...question }) => ({
    ...question,
    deleteAfter: deleteAfter ?? addDays(event, deleteDaysAfter),
  }))
}

/** The next day after which a part of the data is deleted: of the questions, or of the sign-up. */
export const nextDeletion = (event: EventTimes, questions: readonly EventQuestion[]): string =>
  [lastDayOfData(event), ...questions.map(({ deleteAfter }) => deleteAfter)].toSorted()[0] ?? ''
