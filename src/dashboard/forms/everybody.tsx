import { ApiError, isErrorOf } from '../../model/api-error.ts'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { LabelledField, Select } from '../ui/controls.tsx'
import { Form } from '../ui/form.tsx'
import { formPagePath } from '../ui/paths.ts'
import type { FormContext } from './form-record.ts'
import {
  groupByAddress,
  type InvitedPeople,
  listRecipientGroups,
  loadRecipients,
} from './recipients.ts'

/** Renders the choice of everybody with a tag or in a saved view, and how many of them have an address. */
export async function renderEverybody(c: FormContext, form: SurveyForm, kind: Kind) {
  const groups = await listRecipientGroups(c, kind)
  const audience = c.req.query('who') ?? ''
  const path = `${formPagePath(c, form.formId)}/links`
  if (groups.length === 0)
    return (
      <section class="section">
        <h2>Everybody</h2>
        <p>Give people a tag, or save a view of their list, to choose them here.</p>
      </section>
    )
  const result = audience === '' ? undefined : await tryRecipients(c, form, kind, audience)
  return (
    <section class="section">
      <h2>Everybody</h2>
      <p class="quiet">
        A link for each person with a tag, or in a saved view of the list of people.
      </p>
      <Form method="get" action={path}>
        <div class="create">
          <LabelledField label="People" name="who" error={undefined}>
            {(linked) => <Select groups={groups} selected={audience} attributes={linked} />}
          </LabelledField>
          <button type="submit" class="button">
            Choose
          </button>
        </div>
      </Form>
      {result && 'error' in result && <p role="alert">{result.error}</p>}
      {result && 'people' in result && (
        <Chosen
          recipients={result}
          audience={audience}
          path={path}
          canMail={c.var.mail !== undefined}
        />
      )}
    </section>
  )
}

/** Loads the people of a choice, or returns why it is impossible. */
async function tryRecipients(c: FormContext, form: SurveyForm, kind: Kind, audience: string) {
  try {
    return await loadRecipients(c, form, kind, audience)
  } catch (error) {
    if (!(error instanceof ApiError) || !isErrorOf(error, 'BAD_REQUEST', 'NOT_FOUND')) throw error
    return { error: error.message }
  }
}

type ChosenProps = { recipients: InvitedPeople; audience: string; path: string; canMail: boolean }

function Chosen({ recipients: { people, answered }, audience, path, canMail }: ChosenProps) {
  const addresses = groupByAddress(people).length
  const withAddress = people.filter(({ email }) => email !== '').length
  return (
    <>
      <div role="status" class="after">
        <ul>
          <li>
            {formatCount(withAddress, 'has', 'have')} an e-mail address, of their own or of a
            child’s contact
          </li>
          <li>
            {people.length - withAddress === 1
              ? '1 has'
              : `${formatNumber(people.length - withAddress)} have`}{' '}
            no e-mail address
          </li>
          {answered > 0 && <li>{formatNumber(answered)} left out: they have answered</li>}
        </ul>
      </div>
      {canMail && addresses > 0 && (
        <Form action={`${path}/mail`} hidden={{ who: audience }} class="after">
          <button type="submit" class="button primary">
            Preview the message
          </button>
          <p class="hint">It goes to {formatCount(addresses, 'address', 'addresses')}.</p>
        </Form>
      )}
      {people.length > 0 && (
        <Form action={`${path}/file`} hidden={{ who: audience }} class="after">
          <button type="submit" class="button">
            Download {formatCount(people.length, 'link')} with addresses
          </button>
          <p class="hint">
            Each download makes new links, one for each person. Keep the file: they are not shown
            again.
          </p>
        </Form>
      )}
    </>
  )
}
