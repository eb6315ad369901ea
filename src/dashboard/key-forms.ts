import * as z from 'zod'
import type { KeyRights } from '../auth/key-acts.ts'
import { KeyExpiry } from '../auth/key-expiry.ts'
import type { ShownKey } from '../auth/shown-keys.ts'
import { isKindOfField } from '../limits/kinds-of-fields.ts'
import { limitsOf } from '../limits/limits.ts'
import { faultOfRights, usualRights } from '../model/rights.ts'
import { fromLondon } from '../model/uk-time.ts'
import { ticked } from './ticked.ts'

/** How long a rotated key may work on, in seconds. */
export const graces = {
  'not at all': 0,
  'one hour': 3600,
  'one day': 86_400,
  'one week': 7 * 86_400,
  'thirty days': 30 * 86_400,
} as const

const graceNames = Object.keys(graces) as (keyof typeof graces)[]

/** What is asked of someone who rotates a key. */
export const RotateForm = z.object({
  grace: z
    .enum(graceNames, `must be one of ${graceNames.join(', ')}.`)
    .transform((name) => graces[name]),
})

const line = z.string().default('')

/** What the form of a key holds, as it was filled in: of a form that is refused, too. */
export const KeyDraft = z.object({
  name: line,
  expires: line,
  may: ticked,
  collections: ticked,
  privateNotes: z.enum(['', 'hidden']).default(''),
  from: line,
  kinds: ticked,
  fields: line,
})

export type KeyDraft = z.infer<typeof KeyDraft>

/** What is wrong with what a form of a key holds, by field. */
export type KeyFaults = Partial<Record<keyof KeyDraft, string>>

/** The form of a key to be made, before anything is filled in. */
export const newDraft: KeyDraft = KeyDraft.parse({ may: [...usualRights] })

/** The form of a key that there is. */
export function draftOf({ name, rights, limits }: ShownKey): KeyDraft {
  const { collections = [], privateNotes, from = [], without = [] } = limitsOf(limits)
  return {
    name,
    expires: '',
    may: rights.split(','),
    collections: [...collections],
    privateNotes: privateNotes === false ? 'hidden' : '',
    from: from.join('\n'),
    kinds: without.filter(isKindOfField),
    fields: without.filter((name) => !isKindOfField(name)).join('\n'),
  }
}

/** What the form of a key says of its rights. */
export const RightsForm = KeyDraft.extend({
  may: ticked.superRefine((given, ctx) => {
    const fault = faultOfRights(given)
    if (fault) ctx.addIssue(fault)
  }),
}).transform(
  ({ may, collections, privateNotes, from, kinds, fields }): KeyRights => ({
    may,
    limits: {
      collections,
      privateNotes: privateNotes === 'hidden' ? false : undefined,
      from: lines(from),
      without: [...kinds, ...lines(fields)],
    },
  }),
)

/** What the form of a new key says beside its rights. */
export const CreateForm = z.object({
  name: z
    .string('must be given.')
    .trim()
    .min(1, 'must be given.')
    .max(100, 'must have at most 100 characters.'),
  expires: z.preprocess(
    (given) => (given ? endOfDay(String(given)) : undefined),
    KeyExpiry.optional(),
  ),
})

// Pages show times of the United Kingdom: the key is to end on the day that was chosen there.
const endOfDay = (day: string) => fromLondon(`${day}T23:59`) ?? day

const lines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
