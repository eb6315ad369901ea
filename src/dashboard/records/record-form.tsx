import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { Page } from '../page.tsx'
import { Choices, Tick } from '../parts/choices.tsx'
import { Field } from '../parts/field.tsx'
import { SaveActs } from '../parts/save-acts.tsx'
import type { FormValues } from './form-values.ts'
import type { Property } from './properties.ts'

type Props = {
  c: Context<DashboardEnv>
  title: string
  action: string
  back: string
  properties: readonly Property[]
  values: FormValues
  /** What the form said when it was first shown, and of which version that was. */
  was: FormValues
  etag?: string
  /** What is wrong, by property; and what is wrong beside that. */
  faults?: Readonly<Record<string, string>>
  fault?: string | undefined
}

/** A form for a record by its schema. It keeps what was typed; what is wrong stands at its field. */
export function RecordForm(props: Props) {
  const { c, title, action, back, properties, values, was, etag, faults = {}, fault } = props
  const sections = Map.groupBy(properties, ({ section }) => section)
  return (
    <Page c={c} title={title}>
      {(fault || Object.keys(faults).length > 0) && (
        <p role="alert">{fault ?? 'Nothing was saved: see what is marked below.'}</p>
      )}
      <section>
        <form method="post" action={action}>
          <input type="hidden" name="$etag" value={etag} />
          <input type="hidden" name="$was" value={JSON.stringify(was)} />
          {[...sections].map(([section, within]) => (
            <fieldset class="fields">
              {section && (
                <legend>
                  <h2>{section}</h2>
                </legend>
              )}
              {within.map((property) => (
                <Asked
                  property={property}
                  given={values[property.name]}
                  fault={faults[property.name]}
                />
              ))}
            </fieldset>
          ))}
          <SaveActs back={back} />
        </form>
      </section>
    </Page>
  )
}

type AskedProps = {
  property: Property
  given: string | readonly string[] | undefined
  fault: string | undefined
}

/** A property as a control of its kind. */
function Asked({ property, given = '', fault }: AskedProps) {
  const { name, label, kind, options = [] } = property
  if (kind === 'choices') {
    const chosen = [given].flat().filter(Boolean)
    const all = [...options, ...others(options, chosen)]
    return (
      <Choices legend={label} name={name} fault={fault}>
        {all.map((option) => (
          <Tick name={name} ticked={chosen} {...option} />
        ))}
      </Choices>
    )
  }
  const text = String(given)
  return (
    <Field label={label} name={name} fault={fault} help={helps[kind]}>
      {(tied) => {
        if (kind === 'boolean' || kind === 'choice') {
          const offered =
            kind === 'boolean' ? yesAndNo : [...options, ...others(options, text ? [text] : [])]
          return (
            <select {...tied}>
              <option value="">–</option>
              {offered.map((option) => (
                <option value={option.value} selected={option.value === text}>
                  {option.label}
                </option>
              ))}
            </select>
          )
        }
        if (kind === 'texts' || isLong(property, text)) return <textarea {...tied}>{text}</textarea>
        return <input {...tied} {...inputs[kind]} value={text} />
      }}
    </Field>
  )
}

const yesAndNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

const helps: Partial<Record<Property['kind'], string>> = {
  texts: 'One on each line.',
  time: 'In the time of the United Kingdom.',
}

// Neither a type of number nor of e-mail: what a browser takes for a fault there is lost, and not said.
const inputs: Partial<Record<Property['kind'], Record<string, string>>> = {
  number: { inputmode: 'decimal' },
  email: { inputmode: 'email' },
  phone: { inputmode: 'tel' },
  date: { type: 'date' },
  time: { type: 'datetime-local' },
}

/** What a record has and is no longer offered. */
const others = (options: NonNullable<Property['options']>, given: readonly string[]) =>
  given
    .filter((value) => !options.some((option) => option.value === value))
    .map((value) => ({ value, label: value }))

const isLong = ({ kind, name }: Property, text: string) =>
  kind === 'text' &&
  (text.length > 80 ||
    text.includes('\n') ||
    /(description|content|notes|guidelines|summary|feedback|criteria|fund|message)$/i.test(name))
