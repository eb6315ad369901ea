import type { Context } from 'hono'
import type { Field as SchemaField } from '../../../model/properties/schema.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { usualColour } from '../../../public/ui/colours.ts'
import type { Site } from '../../../sign-up/public-pages.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { FieldError } from '../../ui/controls.tsx'
import type { CustomField, FormField } from '../../ui/fields.tsx'
import { FieldsForm, type FormPart } from '../../ui/fields-form.tsx'
import { type FieldErrors, type FieldValues, hasErrors } from '../../ui/form-values.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { dashboardPath } from '../../ui/paths.ts'
import { DataTable, type TableColumn } from '../../ui/table.tsx'

type Props = {
  c: Context<DashboardEnv>
  site: Site
  fields: readonly SchemaField[]
  publishesSessions: boolean
  notice: string | undefined
  errors?: FieldErrors
}

/** Renders the settings of the public pages. */
export function PublicPagesPage(props: Props) {
  const { c, site, fields, publishesSessions, notice, errors = {} } = props
  const { organisationId = '' } = c.var.membership ?? {}
  const address = `${new URL(c.req.url).origin}/o/${encodeURIComponent(organisationId)}`
  const isRejected = hasErrors(errors)
  return (
    <Page c={c} title="Public pages">
      <Notice message={notice} />
      <section class="section">
        <p>
          People find your coming events, sign up and answer forms on these pages. Nothing is public
          while they are off.
        </p>
        {site.enabled && !isRejected && (
          <p>
            Your events: <a href={address}>{address}</a>
          </p>
        )}
        {site.enabled && publishesSessions && !isRejected && (
          <p>
            Your open data: <a href={`${address}/openactive`}>{`${address}/openactive`}</a>
          </p>
        )}
        <FieldsForm
          action={dashboardPath(c, '/settings/public-pages')}
          attributes={{ enctype: 'multipart/form-data' }}
          fields={[{ name: 'enabled', label: 'The pages are on', tickedValue: 'on' }]}
          parts={listParts(site, fields)}
          values={{ ...toValues(site, fields), publishesSessions: publishesSessions ? 'on' : '' }}
          errors={errors}
          saveLabel="Save public pages"
        />
      </section>
    </Page>
  )
}

/** The name of the field that says whether the sign-up form asks for a field of the schema. */
export const signUpFieldName = (index: number) => `field-${index}`

const listParts = ({ hasLogo }: Site, fields: readonly SchemaField[]): readonly FormPart[] => [
  {
    title: 'Sign-up form',
    fields: [
      signUpFields(fields),
      {
        name: 'privacyNotice',
        label: 'Privacy notice',
        help: 'The https address of the page that says how you use personal data.',
        attributes: { type: 'url' },
      },
      {
        name: 'consentText',
        label: 'Consent',
        help: 'A text that people must agree to before they sign up. Leave it empty to ask for none.',
        isLong: true,
        attributes: { maxlength: 1000 },
      },
      {
        name: 'offerHours',
        label: 'Hours for an offer',
        help: 'How long a place that falls free is held for the next person on the waiting list.',
        attributes: { class: 'narrow', inputmode: 'numeric' },
      },
      {
        name: 'remindsDayBefore',
        label: 'Remind people the day before, by mail',
        tickedValue: 'on',
      },
    ],
  },
  {
    title: 'Look and contact',
    fields: [
      {
        name: 'colour',
        label: 'Colour',
        help: 'Links and buttons use a shade of it that can be read.',
        attributes: { class: 'narrow', type: 'color' },
      },
      {
        name: 'logo',
        label: 'Logo',
        help: `A PNG image of at most 64 KB.${hasLogo ? ' A new one replaces yours.' : ''}`,
        attributes: { type: 'file', accept: 'image/png' },
      },
      ...(hasLogo ? [removeLogo] : []),
      {
        name: 'contactEmail',
        label: 'E-mail address for questions',
        attributes: { type: 'email' },
      },
      {
        name: 'contactPhone',
        label: 'Phone number for questions',
        attributes: { type: 'tel' },
      },
      {
        name: 'hasExitLink',
        label: 'Show “Exit this page quickly” on every page',
        help: 'For people whom somebody may watch. It leads to the weather and empties their sign-up.',
        tickedValue: 'on',
      },
    ],
  },
  {
    title: 'Your website',
    fields: [
      {
        name: 'frameAncestors',
        label: 'Websites that show the pages within their own',
        help: 'One per line, such as https://oak.example. There, add ?embed=1 to the address of a page.',
        isLong: true,
      },
    ],
  },
  {
    title: 'Open data',
    fields: [
      {
        name: 'publishesSessions',
        label: 'Publish the sessions for activity finders, in the form of OpenActive',
        help: 'Public events with a place, a price or “free”, and a tag that is an activity, such as Walking or Yoga.',
        tickedValue: 'on',
      },
    ],
  },
]

const removeLogo: FormField = { name: 'removeLogo', label: 'Remove the logo', tickedValue: 'yes' }

const answers = [
  { value: '', label: 'Not asked' },
  { value: 'optional', label: 'Optional' },
  { value: 'required', label: 'Required' },
]

type SignUpField = { name: string; label: string }

/** The choice of the schema's fields that the sign-up form asks for. Fields that it does not ask for are in a fold. */
function signUpFields(fields: readonly SchemaField[]): CustomField {
  const rows = fields.map(({ label }, index) => ({ name: signUpFieldName(index), label }))
  const id = 'field-signUpFields'
  return {
    label: 'The form',
    names: ['signUpFields'],
    Control: ({ values, errors }) => {
      const asked = rows.filter(({ name }) => values[name])
      const others = rows.filter(({ name }) => !values[name])
      return (
        <fieldset id={id} class="field" aria-describedby={errors.signUpFields && `${id}-error`}>
          <legend>What each person is asked</legend>
          <FieldError id={id} message={errors.signUpFields && `The form ${errors.signUpFields}`} />
          {asked.length > 0 && <AnswersTable label="Asked" fields={asked} values={values} />}
          {others.length > 0 && (
            <details class="fold" open={asked.length === 0}>
              <summary>{formatCount(others.length, 'field')} not asked</summary>
              <AnswersTable label="Not asked" fields={others} values={values} />
            </details>
          )}
        </fieldset>
      )
    },
  }
}

type AnswersTableProps = { label: string; fields: readonly SignUpField[]; values: FieldValues }

const AnswersTable = ({ label, fields, values }: AnswersTableProps) => (
  <DataTable
    label={label}
    columns={[
      { heading: 'Field', cell: (field) => field.label },
      ...answers.map(
        (answer): TableColumn<SignUpField> => ({
          heading: answer.label,
          cell: (field) => (
            <label class="choice">
              <input
                type="radio"
                name={field.name}
                value={answer.value}
                checked={values[field.name] === answer.value}
              />
              <span class="visually-hidden">{`${field.label}: ${answer.label}`}</span>
            </label>
          ),
        }),
      ),
    ]}
    rows={fields}
  />
)

function toValues({ enabled, settings }: Site, fields: readonly SchemaField[]): FieldValues {
  // A browser has no empty colour, and would send black.
  const { privacyNotice = '', consentText = '', colour = usualColour } = settings
  const { contactEmail = '', contactPhone = '', offerHours, frameAncestors } = settings
  const asked = new Map(settings.signUpFields.map(({ id, required }) => [id, required]))
  const choices = fields.map(({ id }, index) => {
    if (!asked.has(id)) return [signUpFieldName(index), '']
    return [signUpFieldName(index), asked.get(id) ? 'required' : 'optional']
  })
  return {
    ...Object.fromEntries(choices),
    enabled: enabled ? 'on' : '',
    privacyNotice,
    consentText,
    colour,
    contactEmail,
    contactPhone,
    offerHours: String(offerHours),
    remindsDayBefore: settings.remindsDayBefore ? 'on' : '',
    hasExitLink: settings.hasExitLink ? 'on' : '',
    frameAncestors: frameAncestors.join('\n'),
  }
}
