import type { Context } from 'hono'
import type { SignUpForm } from '../../sign-up/form.ts'
import { texts } from '../../texts/texts.ts'
import { TurnstileWidget, turnstileScript } from '../access/robots.tsx'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicForm, RefusalNotice } from '../ui/form.tsx'
import type { FormValues } from '../ui/form-values.ts'
import { PublicPage } from '../ui/page.tsx'
import { eventPath } from '../ui/site.ts'
import { SummaryList } from '../ui/summary.tsx'
import { controls, readSignUp } from './answers.ts'
import { formatFieldValue } from './field-control.tsx'
import { findFullDates, type OpenSignUp, wouldWait } from './open-form.ts'

type CheckProps = {
  c: Context<PublicEnv>
  open: OpenSignUp
  values: FormValues
  /** The reason why the form was not accepted. */
  refusal: string | undefined
  unknownPostcodes: readonly string[]
}

/** Renders the answers for a last look, with buttons to change and to send them. */
export function CheckPage({ c, open, values, refusal, unknownPostcodes }: CheckProps) {
  const { site } = c.var
  const { form, event } = open
  const input = readSignUp(form, values)
  const { contact, attendees, isVolunteer } = input
  const isWaiting = wouldWait(open, input)
  const fullDates = isWaiting ? [] : findFullDates(open, input)
  return (
    <PublicPage
      site={site}
      title={texts.controls.checkAnswers}
      hasErrors={refusal !== undefined}
      script={turnstileScript(c)}
    >
      <RefusalNotice title={texts.signUpCheck.notSaved} message={refusal} />
      <h1>{texts.controls.checkAnswers}</h1>
      <p>{event.name}</p>
      <h2>{texts.signUp.yourDetails}</h2>
      <SummaryList
        answers={[
          { label: texts.signUp.yourName, answer: contact.name },
          { label: texts.signUp.yourEmail, answer: contact.email },
          ...(isVolunteer
            ? [{ label: texts.signUpCheck.takesPart, answer: texts.signUpCheck.asVolunteer }]
            : []),
        ]}
      />
      {attendees.map((attendee, person) => (
        <>
          <h2>{texts.signUp.person(person + 1)}</h2>
          <SummaryList answers={listAnswers(form, attendee)} />
        </>
      ))}
      {fullDates.length > 0 && (
        <p class="notice">{texts.series.waitingFor(fullDates.map(({ start }) => start))}</p>
      )}
      {unknownPostcodes.length > 0 && (
        <p class="notice">{texts.signUpCheck.unknownPostcodes(unknownPostcodes)}</p>
      )}
      <PublicForm
        action={eventPath(site, event.id)}
        hidden={values.entries((name) => name !== controls.step)}
      >
        <TurnstileWidget c={c} />
        <div class="actions">
          <button class="button primary" type="submit" name={controls.step} value="send">
            {isWaiting ? texts.signUpCheck.joinWaitingList : texts.signUpCheck.signUp}
          </button>
          <button class="button" type="submit" name={controls.step} value="change">
            {texts.signUpCheck.change}
          </button>
        </div>
      </PublicForm>
    </PublicPage>
  )
}

type Attendee = ReturnType<typeof readSignUp>['attendees'][number]

/** The answers about a person with their questions. */
const listAnswers = (
  { fields, questions }: Pick<SignUpForm, 'fields' | 'questions'>,
  { values, questionAnswers }: Attendee,
) => [
  ...fields.map((field) => ({
    label: field.label,
    answer: formatFieldValue(field, values[field.id]),
  })),
  ...questions.map(({ id, label }) => ({ label, answer: questionAnswers[id] ?? '' })),
]
