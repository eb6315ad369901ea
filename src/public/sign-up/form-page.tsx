import type { Context } from 'hono'
import { maxAttendees } from '../../sign-up/attendees.ts'
import { RobotControls } from '../access/robots.tsx'
import type { PublicEnv } from '../access/site-access.ts'
import { EventFacts } from '../events/facts.tsx'
import { Checkbox, Choices, ErrorSummary, type FormErrors, TextInput } from '../ui/form.tsx'
import type { FormValues } from '../ui/form-values.ts'
import { PublicPage } from '../ui/page.tsx'
import { eventPath, publicPath } from '../ui/site.ts'
import { controls, countPeople } from './answers.ts'
import type { OpenForm } from './open-form.ts'
import { PersonControls } from './person-controls.tsx'

type FormProps = {
  c: Context<PublicEnv>
  open: OpenForm
  values: FormValues
  errors?: FormErrors
}

/** Renders an event with its sign-up form. */
export function SignUpPage({ c, open, values, errors = {} }: FormProps) {
  const { site } = c.var
  const { event, places } = open
  const hasErrors = Object.keys(errors).length > 0
  return (
    <PublicPage
      site={site}
      title={event.name}
      hasErrors={hasErrors}
      back={{ path: publicPath(site), label: 'All events' }}
    >
      <ErrorSummary errors={errors} />
      <h1>{event.name}</h1>
      <div class="split">
        <div>
          {event.description && <p class="description">{event.description}</p>}
          <form method="post" action={eventPath(site, event.id)} novalidate>
            <FormFields c={c} open={open} values={values} errors={errors} />
          </form>
        </div>
        <EventFacts event={event} places={places} />
      </div>
    </PublicPage>
  )
}

function FormFields({ c, open, values, errors = {} }: FormProps) {
  const { form, event } = open
  const { privacyNotice, consentText } = c.var.site.settings
  const people = countPeople(values)
  const control = { values, errors, isRequired: true }
  return (
    <>
      <DefaultButton />
      <input
        type="hidden"
        name={controls.token}
        value={values.text(controls.token) || newToken()}
      />
      <input type="hidden" name={controls.people} value={String(people)} />
      <RobotControls values={values} />
      <WaitingListNotice {...open} />
      {(event.takesVolunteers || errors[controls.role]) && (
        <Choices
          {...control}
          name={controls.role}
          type="radio"
          label="How do you want to take part?"
          options={[
            { value: 'participant', label: 'Come to the event' },
            ...(event.takesVolunteers
              ? [{ value: 'volunteer', label: 'Help as a volunteer' }]
              : []),
          ]}
        />
      )}
      <h2>Your details</h2>
      <TextInput
        {...control}
        name={controls.name}
        label="Your name"
        attributes={{ autocomplete: 'name', maxlength: '200' }}
      />
      <TextInput
        {...control}
        name={controls.email}
        label="Your email address"
        attributes={{ type: 'email', autocomplete: 'email', maxlength: '320' }}
      />
      <h2>Who is coming?</h2>
      <p>Add everyone who needs a place. If you are coming too, also add yourself.</p>
      {Array.from({ length: people }, (_, person) => (
        <section class="person" aria-labelledby={`person-${person + 1}`}>
          <PersonTitle person={person} people={people} />
          <PersonControls form={form} person={person} values={values} errors={errors} />
        </section>
      ))}
      {people < maxAttendees && (
        <button class="button" type="submit" name={controls.step} value="add">
          Add another person
        </button>
      )}
      {consentText && (
        <>
          <h2>Consent</h2>
          <Checkbox {...control} name={controls.consent} label={consentText} />
        </>
      )}
      {privacyNotice && (
        <p class="quiet">
          {c.var.site.organisationName} uses these details to run the event and to report on it.{' '}
          <a href={privacyNotice} target="_blank" rel="noreferrer">
            Privacy notice
          </a>
        </p>
      )}
      <button class="button primary" type="submit" name={controls.step} value="check">
        Check your answers
      </button>
    </>
  )
}

/** The button that Enter presses: browsers take the first of a form, which could remove a person. */
function DefaultButton() {
  return (
    <button class="visually-hidden" type="submit" name={controls.step} value="check" tabindex={-1}>
      Check your answers
    </button>
  )
}

function WaitingListNotice({ event, places, volunteerPlaces }: OpenForm) {
  if (places?.left !== 0) return null
  return (
    <p class="notice">
      {event.takesVolunteers && volunteerPlaces?.left !== 0
        ? 'All places are taken, but volunteers are still needed. '
        : 'All places are taken. '}
      Sign up for the waiting list: a place that falls free is offered to the next on it.
    </p>
  )
}

function PersonTitle({ person, people }: { person: number; people: number }) {
  return (
    <div class="title">
      <h3 id={`person-${person + 1}`}>Person {person + 1}</h3>
      {people > 1 && (
        <button class="link" type="submit" name={controls.step} value={`remove ${person}`}>
          Remove<span class="visually-hidden"> person {person + 1}</span>
        </button>
      )}
    </div>
  )
}

/** A random text that identifies one filled-in form. */
const newToken = () => crypto.randomUUID() + crypto.randomUUID()
