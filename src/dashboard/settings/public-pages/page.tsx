import type { Context } from 'hono'
import type { Field as SchemaField } from '../../../model/properties/schema.ts'
import type { Site } from '../../../sign-up/public-pages.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Checkbox, Field, Select } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { dashboardPath } from '../../ui/paths.ts'

type Props = {
  c: Context<DashboardEnv>
  site: Site
  fields: readonly SchemaField[]
  notice: string | undefined
  errors?: Record<string, string>
}

type SectionProps = Pick<Props, 'site' | 'fields'> & { errors: Record<string, string> }

/** Renders the settings of the public pages. */
export function PublicPagesPage({ c, site, fields, notice, errors = {} }: Props) {
  const { organisationId = '' } = c.var.membership ?? {}
  const address = `${new URL(c.req.url).origin}/o/${encodeURIComponent(organisationId)}`
  const hasErrors = Object.keys(errors).length > 0
  return (
    <Page c={c} title="Public pages">
      <Notice message={notice} />
      {hasErrors && <p role="alert">Nothing was saved. Correct the errors below.</p>}
      <section class="section">
        <p>
          People find your coming events, sign up and answer forms on these pages. Nothing is public
          while they are off.
        </p>
        {site.enabled && !hasErrors && (
          <p>
            Your events: <a href={address}>{address}</a>
          </p>
        )}
        <form
          method="post"
          action={dashboardPath(c, '/settings/public-pages')}
          enctype="multipart/form-data"
          class="form"
        >
          <div class="checkboxes">
            <Checkbox
              name="enabled"
              value="on"
              checkedValues={site.enabled ? ['on'] : []}
              label="The pages are on"
            />
          </div>
          <SignUpSection site={site} fields={fields} errors={errors} />
          <LookSection site={site} errors={errors} />
          <EmbeddingSection site={site} errors={errors} />
          <div class="save">
            <button type="submit" class="button primary">
              Save public pages
            </button>
          </div>
        </form>
      </section>
    </Page>
  )
}

const fieldChoices = [
  { value: '', label: 'Do not ask' },
  { value: 'optional', label: 'Optional' },
  { value: 'required', label: 'Required' },
]

function SignUpSection({ site: { settings }, fields, errors }: SectionProps) {
  const choiceOf = (id: string) => {
    const asked = settings.signUpFields.find((field) => field.id === id)
    if (!asked) return ''
    return asked.required ? 'required' : 'optional'
  }
  return (
    <>
      <fieldset
        class="field-grid"
        aria-describedby={errors.signUpFields && 'field-signUpFields-error'}
      >
        <legend>
          <h2>Sign-up form</h2>
        </legend>
        {errors.signUpFields && (
          <span class="error" id="field-signUpFields-error">
            The form {errors.signUpFields}
          </span>
        )}
        {fields.map(({ id, label }, index) => (
          <Field label={label} name={`field-${index}`}>
            {(attributes) => (
              <Select options={fieldChoices} selected={choiceOf(id)} attributes={attributes} />
            )}
          </Field>
        ))}
      </fieldset>
      <Field
        label="Privacy notice"
        name="privacyNotice"
        help="The https address of the page that says how you use personal data."
        error={errors.privacyNotice}
      >
        {(attributes) => <input {...attributes} type="url" value={settings.privacyNotice} />}
      </Field>
      <Field
        label="Consent"
        name="consentText"
        help="A text that people must agree to before they sign up. Leave it empty to ask for none."
        error={errors.consentText}
      >
        {(attributes) => (
          <textarea {...attributes} maxlength={1000}>
            {settings.consentText}
          </textarea>
        )}
      </Field>
      <Field
        label="Hours for an offer"
        name="offerHours"
        help="How long a place that falls free is held for the next person on the waiting list."
        error={errors.offerHours}
      >
        {(attributes) => (
          <input {...attributes} inputmode="numeric" value={String(settings.offerHours)} />
        )}
      </Field>
    </>
  )
}

function LookSection({ site: { settings, hasLogo }, errors }: Omit<SectionProps, 'fields'>) {
  return (
    <>
      <h2>Look and contact</h2>
      <Field
        label="Colour"
        name="colour"
        help="Such as #5b2a6e. Links and buttons use a shade that can be read."
        error={errors.colour}
      >
        {(attributes) => <input {...attributes} maxlength={7} value={settings.colour} />}
      </Field>
      <Field
        label="Logo"
        name="logo"
        help={`A PNG image of at most 64 KiB.${hasLogo ? ' A new one replaces yours.' : ''}`}
        error={errors.logo}
      >
        {(attributes) => <input {...attributes} type="file" accept="image/png" />}
      </Field>
      {hasLogo && (
        <div class="checkboxes">
          <Checkbox name="removeLogo" value="yes" checkedValues={[]} label="Remove the logo" />
        </div>
      )}
      <Field label="E-mail address for questions" name="contactEmail" error={errors.contactEmail}>
        {(attributes) => <input {...attributes} type="email" value={settings.contactEmail} />}
      </Field>
      <Field label="Telephone number for questions" name="contactPhone" error={errors.contactPhone}>
        {(attributes) => <input {...attributes} type="tel" value={settings.contactPhone} />}
      </Field>
    </>
  )
}

function EmbeddingSection({ site: { settings }, errors }: Omit<SectionProps, 'fields'>) {
  return (
    <>
      <h2>Your website</h2>
      <Field
        label="Websites that may embed the pages"
        name="frameAncestors"
        help="One per line, such as https://oak.example. Add ?embed=1 to the address of a page there."
        error={errors.frameAncestors}
      >
        {(attributes) => <textarea {...attributes}>{settings.frameAncestors.join('\n')}</textarea>}
      </Field>
    </>
  )
}
