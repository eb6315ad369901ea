import { type KindOfField, kindsOfFields } from '../limits/kinds-of-fields.ts'
import { collectionNames } from '../model/collection-names.ts'
import { type Right, rights } from '../model/rights.ts'
import type { KeyDraft } from './key-forms.ts'

const labels: Record<Right, string> = {
  read: 'read everything',
  'create-members': 'create members',
  write: 'create, change and delete everything',
}

const kindLabels: Record<KindOfField, string> = {
  email: 'e-mail addresses',
  phone: 'phone numbers',
  postcode: 'postcodes and addresses (their wards and other areas stay)',
  'date of birth': 'dates of birth',
  names: 'names of people, and of contacts',
  'free text': 'what is written freely: notes, descriptions, answers in words',
}

/** The fields of a key's form: what it may do, and what it is held to. */
export function KeyFields({ draft }: { draft: KeyDraft }) {
  const { may, collections, privateNotes, from, kinds, fields } = draft
  return (
    <>
      <fieldset>
        <legend>It may</legend>
        {rights.map((right) => (
          <Tick name="may" value={right} ticked={may} label={labels[right]} />
        ))}
      </fieldset>
      <details open={isLimited(draft)}>
        <summary>Hold it to less</summary>
        <fieldset>
          <legend>Only these collections (none ticked: all)</legend>
          {collectionNames.map((name) => (
            <Tick
              name="collections"
              value={name}
              ticked={collections}
              label={name.replaceAll('-', ' ')}
            />
          ))}
        </fieldset>
        <fieldset>
          <legend>Kept from it</legend>
          <Tick
            name="privateNotes"
            value="hidden"
            ticked={[privateNotes]}
            label="private case notes"
          />
          {kindsOfFields.map((kind) => (
            <Tick name="kinds" value={kind} ticked={kinds} label={kindLabels[kind]} />
          ))}
        </fieldset>
        <label>
          Other fields kept from it, one a line
          <textarea name="fields" rows={3} aria-describedby="fields-help">
            {fields}
          </textarea>
        </label>
        <small id="fields-help">
          The id of a field of people, such as “demographics.ethnicity”, or the path of a property,
          such as “venue.postcode”.
        </small>
        <label>
          Only from these addresses or networks, one a line (none: from anywhere)
          <textarea name="from" rows={2} aria-describedby="from-help">
            {from}
          </textarea>
        </label>
        <small id="from-help">Such as “203.0.113.7”, “203.0.113.0/24” or “2001:db8::/32”.</small>
      </details>
    </>
  )
}

type TickProps = { name: string; value: string; ticked: readonly string[]; label: string }

function Tick({ name, value, ticked, label }: TickProps) {
  return (
    <label>
      <input type="checkbox" name={name} value={value} checked={ticked.includes(value)} />
      {label}
    </label>
  )
}

const isLimited = ({ collections, privateNotes, from, kinds, fields }: KeyDraft) =>
  collections.length > 0 || kinds.length > 0 || `${privateNotes}${from}${fields}` !== ''
