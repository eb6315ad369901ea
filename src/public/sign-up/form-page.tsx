import type { Context } from 'hono'
import { maxAttendees } from '../../sign-up/attendees.ts'
import { texts } from '../../texts/texts.ts'
import { RobotControls } from '../access/robots.tsx'
import type { PublicEnv } from '../access/site-access.ts'
import { EventData } from '../events/event-data.tsx'
import { EventFacts } from '../events/facts.tsx'
import { DateList } from '../events/series-page.tsx'
import {
  Choices,
  type FormErrors,
  PublicErrorSummary,
  PublicForm,
  SingleCheckbox,
  TextInput,
} from '../ui/form.tsx'
import type { FormValues } from '../ui/form-values.ts'
import { PublicPage } from '../ui/page.tsx'
import { eventPath, publicPath } from '../ui/site.ts'
import { controls, countPeople, fieldControlName } from './answers.ts'
import { sharedFields } from './edit-people.ts'
import type { OpenSignUp } from './open-form.ts'
import { PersonControls } from './person-controls.tsx'

type FormProps = {
  c: Context<PublicEnv>
  open: OpenSignUp
  values: FormValues
  errors?: FormErrors
}

/** Renders an event with its sign-up form. */
export function SignUpPage({ c, open, values, errors = {} }: FormProps) {
  const { site } = c.var
  const { event, places, dates } = open
  const isSeries = dates.length > 0
  const hasErrors = Object.keys(errors).length > 0
  return (
    <PublicPage
      site={site}
      title={event.name}
      hasErrors={hasErrors}
      back={{ path: publicPath(site), label: texts.events.all }}
    >
      <EventData c={c} event={event} dates={isSeries ? dates.map(({ date }) => date) : undefined} />
      <PublicErrorSummary errors={errors} />
      <h1>{event.name}</h1>
      <div class="split">
        <div>
          {event.description && <p class="description">{event.description}</p>}
          {isSeries && (
            <>
              <h2>{texts.series.dates}</h2>
              <p>{texts.series.allDates(dates.length)}</p>
              <DateList site={site} dates={dates} />
            </>
          )}
          <PublicForm action={eventPath(site, event.id)}>
            <FormFields c={c} open={open} values={values} errors={errors} />
          </PublicForm>
        </div>
        <EventFacts event={event} places={isSeries ? undefined : places} isSeries={isSeries} />
      </div>
    </PublicPage>
  )
}

function FormFields({ c, open, values, errors = {} }: FormProps) {
  const { form, event } = open
  const { privacyNotice, consentText } = c.var.site.settings
  const people = countPeople(values)
  const control = { values, errors, isRequired: true }
  const path = eventPath(c.var.site, event.id)
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
          label={texts.signUp.role}
          options={[
            { value: 'participant', label: texts.signUp.participant },
            ...(event.takesVolunteers
              ? [{ value: 'volunteer', label: texts.signUp.volunteer }]
              : []),
          ]}
        />
      )}
      <h2>{texts.signUp.yourDetails}</h2>
      <TextInput
        {...control}
        name={controls.name}
        label={texts.signUp.yourName}
        attributes={{ autocomplete: 'name', maxlength: '200' }}
      />
      <TextInput
        {...control}
        name={controls.email}
        label={texts.signUp.yourEmail}
        attributes={{ type: 'email', autocomplete: 'email', maxlength: '320' }}
      />
      <h2>{texts.signUp.whoIsComing}</h2>
      <p>{texts.signUp.whoIsComingHint}</p>
      {people < maxAttendees && (
        <SingleCheckbox {...control} name={controls.coming} label={texts.signUp.comingToo} />
      )}
      {Array.from({ length: people }, (_, person) => (
        <section class="person" aria-labelledby={`person-${person + 1}`}>
          <PersonTitle person={person} people={people} path={path} />
          <PersonControls form={form} person={person} values={values} errors={errors} />
          <CopiedDetails form={form} person={person} values={values} />
        </section>
      ))}
      {people < maxAttendees && (
        <button
          class="button"
          type="submit"
          name={controls.step}
          value="add"
          formaction={`${path}#person-${people + 1}`}
        >
          {texts.signUp.addPerson}
        </button>
      )}
      {consentText && (
        <>
          <h2>{texts.signUp.consent}</h2>
          <SingleCheckbox {...control} name={controls.consent} label={consentText} />
        </>
      )}
      {privacyNotice && (
        <p class="quiet">
          {texts.signUp.purpose(c.var.site.organisationName)}{' '}
          <a href={privacyNotice} target="_blank" rel="noreferrer">
            {texts.page.privacyNotice}
          </a>
        </p>
      )}
      <button class="button primary" type="submit" name={controls.step} value="check">
        {texts.controls.checkAnswers}
      </button>
    </>
  )
}

/** The button that Enter presses: browsers take the first of a form, which could remove a person. */
function DefaultButton() {
  return (
    <button class="visually-hidden" type="submit" name={controls.step} value="check" tabindex={-1}>
      {texts.controls.checkAnswers}
    </button>
  )
}

function WaitingListNotice({ event, places, volunteerPlaces, dates }: OpenSignUp) {
  if (dates.length > 0 || places?.left !== 0) return null
  return (
    <p class="notice">
      {event.takesVolunteers && volunteerPlaces?.left !== 0
        ? texts.signUp.allTakenExceptVolunteers
        : texts.signUp.allTaken}{' '}
      {texts.signUp.waitingList}
    </p>
  )
}

type TitleProps = { person: number; people: number; path: string }

function PersonTitle({ person, people, path }: TitleProps) {
  return (
    <div class="title">
      <h3 id={`person-${person + 1}`}>{texts.signUp.person(person + 1)}</h3>
      {people > 1 && (
        <button
          class="link"
          type="submit"
          name={controls.step}
          value={`remove ${person}`}
          formaction={`${path}#person-${person || 1}`}
        >
          {texts.signUp.remove}
          <span class="visually-hidden"> {texts.signUp.removed(person + 1)}</span>
        </button>
      )}
    </div>
  )
}

type CopiedProps = Pick<OpenSignUp, 'form'> & { person: number; values: FormValues }

/** Names the details that a person has from the first. */
function CopiedDetails({ form, person, values }: CopiedProps) {
  const labels = sharedFields(form.fields).flatMap(({ id, label }) => {
    const value = values.text(fieldControlName(person, id))
    return value !== '' && value === values.text(fieldControlName(0, id)) ? [label] : []
  })
  if (person === 0 || labels.length === 0) return null
  return <p class="quiet">{texts.signUp.copied(labels)}</p>
}

/** A random text that identifies one filled-in form. */
const newToken = () => crypto.randomUUID() + crypto.randomUUID()
