import * as z from 'zod'
import { formatShortMoment } from '../../../model/dates.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { toOneLine } from '../../../sign-up/attendees.ts'
import { type Audience, audiences } from '../../../sign-up/mailings/audience.ts'
import type { FormItem } from '../../ui/fields.tsx'
import type { OpenMessages, Recipients } from './open-messages.ts'

export const audienceLabels: Readonly<Record<Audience, string>> = {
  booked: 'Everybody booked',
  waiting: 'Everybody waiting',
  came: 'Everybody who came',
}

/** How many people an audience has, and how many addresses they have together. */
export function describeRecipients({ families, unreachable }: Recipients): string {
  const people = [...families, ...unreachable].flatMap((family) => family.people).length
  return `${formatCount(people, 'person', 'people')}, ${formatCount(families.length, 'address', 'addresses')}`
}

/** The audiences of an event; nobody has come yet to the later dates of a series. */
export const listAudiences = ({ dates }: OpenMessages): readonly Audience[] =>
  dates ? ['booked', 'waiting'] : audiences

/** The fields of a message. */
export const messageFields = (open: OpenMessages): FormItem[] => [
  ...(open.dates
    ? [
        {
          name: 'from',
          label: 'Dates',
          options: [
            { value: '', label: 'All dates to come' },
            ...open.dates.map(({ start }) => ({
              value: start ?? '',
              label: `From ${formatShortMoment(start ?? '')}`,
            })),
          ],
        },
      ]
    : []),
  {
    name: 'audience',
    label: 'To',
    hasRadios: true,
    options: listAudiences(open).map((audience) => ({
      value: audience,
      label: audienceLabels[audience],
      hint: describeRecipients(open.recipients[audience]),
    })),
  },
  { name: 'subject', label: 'Subject', attributes: { maxlength: 150, autocomplete: 'off' } },
  { name: 'text', label: 'Message', isLong: true, attributes: { maxlength: 5000, rows: 8 } },
  { name: 'hasFacts', label: 'Add the day, time and place', tickedValue: 'true' },
  {
    name: 'hasLink',
    label: 'Add the family’s private link, to change or give up places',
    tickedValue: 'true',
  },
]

/** The id of the mailing that a form sends: with the same id, it is sent once. */
export const readMailingId = ({ id }: Readonly<Record<string, unknown>>): string =>
  typeof id === 'string' && /^[\w-]{36}$/.test(id) ? id : crypto.randomUUID()

/** A sentence of staff in a message of the service. */
export const sentenceField = {
  name: 'text',
  label: 'Add a sentence (optional)',
  isLong: true,
  attributes: { maxlength: 1000, rows: 2 },
} satisfies FormItem

const isTicked = z
  .string()
  .optional()
  .transform((value) => value === 'true')

const text = (max: number) =>
  z
    .string('must not be empty.')
    .trim()
    .min(1, 'must not be empty.')
    .max(max, `must have at most ${max} characters.`)

/** What staff write, as the form sends it. */
export const MessageForm = z.object({
  from: z.string().optional(),
  audience: z.enum(audiences, 'must be one of the choices.'),
  subject: text(150).transform(toOneLine),
  text: text(5000),
  hasFacts: isTicked,
  hasLink: isTicked,
})
