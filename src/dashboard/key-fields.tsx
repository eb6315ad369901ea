import { type KindOfField, kindsOfFields } from '../limits/kinds-of-fields.ts'
import { collectionNames } from '../model/collection-names.ts'
import { type Right, rights } from '../model/rights.ts'
import type { KeyDraft, KeyFaults } from './key-forms.ts'
import { Choices, Tick } from './parts/choices.tsx'
import { Field } from './parts/field.tsx'
import { inWords } from './words.ts'

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

type Props = { draft: KeyDraft; faults: KeyFaults }

/** The fields of a key's form: what it may do, and what it is held to. */
export function KeyFields({ draft, faults }: Props) {
  const { may, collections, privateNotes, from, kinds, fields } = draft
  return (
    <>
      <Choices legend="It may" name="may" fault={faults.may}>
        {rights.map((right) => (
          <Tick name="may" value={right} ticked={may} label={labels[right]} />
        ))}
      </Choices>
      <details open={isOpen({ draft, faults })}>
        <summary>Hold it to less</summary>
        <Choices
          legend="Only these collections (none ticked: all)"
          name="collections"
          fault={faults.collections}
        >
          {collectionNames.map((name) => (
            <Tick name="collections" value={name} ticked={collections} label={inWords(name)} />
          ))}
        </Choices>
        <Choices legend="Kept from it" name="kinds" fault={faults.kinds ?? faults.privateNotes}>
          <Tick
            name="privateNotes"
            value="hidden"
            ticked={[privateNotes]}
            label="private case notes"
          />
          {kindsOfFields.map((kind) => (
            <Tick name="kinds" value={kind} ticked={kinds} label={kindLabels[kind]} />
          ))}
        </Choices>
        <Field
          label="Other fields kept from it, one a line"
          name="fields"
          help="The id of a field of people, such as “demographics.ethnicity”, or the path of a property, such as “venue.postcode”."
          fault={faults.fields}
        >
          {(tied) => (
            <textarea {...tied} rows={3}>
              {fields}
            </textarea>
          )}
        </Field>
        <Field
          label="Only from these addresses or networks, one a line (none: from anywhere)"
          name="from"
          help="Such as “203.0.113.7”, “203.0.113.0/24” or “2001:db8::/32”."
          fault={faults.from}
        >
          {(tied) => (
            <textarea {...tied} rows={2}>
              {from}
            </textarea>
          )}
        </Field>
      </details>
    </>
  )
}

// Whatever is behind the summary and filled in, or wrong, is not to be overlooked.
const limiting = ['collections', 'privateNotes', 'from', 'kinds', 'fields'] as const
const isOpen = ({ draft, faults }: Props) =>
  limiting.some((name) => draft[name].length > 0 || faults[name] !== undefined)
