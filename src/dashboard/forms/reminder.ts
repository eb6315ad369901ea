import { ApiError } from '../../model/api-error.ts'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { findClosures } from '../../sign-up/forms/publishing.ts'
import { readFormPeople } from '../../store/sign-up/form-links.ts'
import type { Recipient } from '../../store/sign-up/mailings.ts'
import { readMailingToRemind, type SentMailing } from '../../store/sign-up/sent-mailings.ts'
import type { Store } from '../../store/store.ts'

/*
 * A week after personal links were sent, staff can send one reminder to the people who have not answered. Its id
 * is made of the id of the first mailing, so the queue takes only one.
 */

const waitDays = 7
const dayMs = 86_400_000
const prefix = 'reminder '

/** The choice of the people who have not answered the links of a mailing. */
export const reminderOf = ({ id }: Pick<SentMailing, 'id'>): string => prefix + id

/** The id of the reminder that a choice of people is for; undefined for any other choice. */
export const reminderIdOf = (who: string): string | undefined =>
  who.startsWith(prefix) ? who : undefined

/** Whether staff can remind the people of one of some mailings now. */
export const canRemind = (
  form: SurveyForm,
  mailings: readonly SentMailing[],
  { id, purpose, created }: SentMailing,
  now = Date.now(),
): boolean =>
  purpose === 'form' &&
  isDue(created, now) &&
  findClosures(form).length === 0 &&
  !mailings.some((mailing) => mailing.id === reminderOf({ id }))

const isDue = (created: string, now: number) => Date.parse(created) <= now - waitDays * dayMs

/**
 * Reads the addresses that got personal links with those of their people who have not answered; undefined for a choice
 * that is no reminder. Throws 404 for an unknown mailing, and 409 in the first week and after a reminder.
 */
export async function loadReminder(
  store: Store,
  { formId }: SurveyForm,
  who: string,
): Promise<Recipient[] | undefined> {
  const id = reminderIdOf(who)
  if (id === undefined) return undefined
  const mailing = await readMailingToRemind(store, formId, {
    id: id.slice(prefix.length),
    reminderId: id,
  })
  if (!mailing) throw new ApiError('NOT_FOUND', 'The message does not exist, or was deleted.')
  const { created, isReminded, recipients } = mailing
  if (isReminded) throw new ApiError('CONFLICT', 'These people got a reminder already.')
  if (!isDue(created, Date.now()))
    throw new ApiError('CONFLICT', `Remind people ${waitDays} days after the links, or later.`)
  const invited = recipients.flatMap((recipient) => recipient.invited ?? [])
  const waiting = new Set((await readFormPeople(store, formId, invited, false)).map(keyOf))
  return recipients
    .map((recipient) => ({
      ...recipient,
      invited: (recipient.invited ?? []).filter((person) => waiting.has(keyOf(person))),
    }))
    .filter((recipient) => recipient.invited.length > 0)
}

const keyOf = ({ kind, id }: { kind: string; id: string }) => JSON.stringify([kind, id])
