import type { TrialSettings } from '../../platform/trial.ts'
import { usualColour } from '../../public/ui/colours.ts'
import { MissingTasks, type SetUpTask } from '../settings/set-up/tasks.tsx'
import { Brand, HtmlDocument, SkipLink } from '../ui/document.tsx'
import type { CustomField } from '../ui/fields.tsx'
import { FieldsForm, type FormPart } from '../ui/fields-form.tsx'
import { type FieldErrors, type FieldValues, textOf } from '../ui/form-values.ts'
import { Icon } from '../ui/icon.tsx'
import { PresetCards } from '../ui/preset-cards.tsx'
import { TrialBanner } from '../ui/trial-banner.tsx'

type Props = {
  env: TrialSettings
  tasks: readonly SetUpTask[]
  values: FieldValues
  errors: FieldErrors
}

const heading = 'Welcome. Whose records will these be?'

/** Renders the form for the organisation of a new installation and its first administrator. */
export const SetUpPage = ({ env, tasks, values, errors }: Props) => (
  <HtmlDocument title={`${heading} – Data platform`}>
    <body class="first-run">
      <SkipLink />
      <header class="side">
        <Brand name="New service" href="/dashboard/set-up" />
        <ol class="setup" aria-label="Steps">
          {steps.map((step, index) => (
            <Step name={step} index={index} />
          ))}
        </ol>
      </header>
      <main class="page" id="main">
        <TrialBanner env={env} />
        <div class="head">
          <div>
            <h1>{heading}</h1>
            <p>You can change the colour, the people and the public pages later, in Settings.</p>
          </div>
        </div>
        <div role="status">
          <div class="notice good">
            <Icon name="check" />
            <p>Setup code accepted. It cannot be used again.</p>
          </div>
        </div>
        <FieldsForm
          action="/dashboard/set-up"
          parts={parts}
          values={values}
          errors={errors}
          failure="Nothing was created."
          saveLabel="Create and go on"
        />
        <MissingTasks tasks={tasks} />
        <p class="quiet after">This list stays in Settings until everything is done.</p>
      </main>
    </body>
  </HtmlDocument>
)

const steps = ['Setup code', 'Your organisation', 'Your data', 'Before others join']
const currentStep = 1

const Step = ({ name, index }: { name: string; index: number }) => (
  <li
    class={index < currentStep ? 'done' : undefined}
    aria-current={index === currentStep ? 'step' : undefined}
  >
    {index < currentStep ? <Icon name="check" /> : <span>{index + 1}</span>}
    {name}
  </li>
)

/** Colours to begin with; the settings of the public pages take any. */
const colours = [
  { value: usualColour, label: 'Pine' },
  { value: '#5b2a6e', label: 'Plum' },
  { value: '#2f5488', label: 'Slate blue' },
  { value: '#9a3b26', label: 'Brick' },
]

const colourField: CustomField = {
  label: 'Colour',
  names: ['colour'],
  Control: ({ values }) => (
    <fieldset class="field" id="field-colour">
      <legend>Colour of the public pages</legend>
      <div class="swatches">
        {colours.map(({ value, label }) => (
          <label>
            <input type="radio" name="colour" value={value} checked={value === values.colour} />
            <svg viewBox="0 0 2 2" aria-hidden="true">
              <circle cx="1" cy="1" r="1" fill={value} />
            </svg>
            <span class="visually-hidden">{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  ),
}

/** What an organisation starts with, and the page that follows, below the organisation's path. */
export const startingPoints = [
  {
    id: 'file',
    name: 'A first file',
    summary: 'Excel or CSV. You check it before anything is saved.',
    path: '/import',
  },
  {
    id: 'example',
    name: 'Invented example data',
    summary: '160 members and 56 events. Removed with one click.',
    path: '/home',
  },
  {
    id: 'nothing',
    name: 'Nothing',
    summary: 'Add people and events yourself.',
    path: '/settings/set-up',
  },
]

const startField: CustomField = {
  label: 'Start with',
  names: ['start'],
  Control: ({ values }) => (
    <PresetCards
      name="start"
      presets={startingPoints}
      legend="Start with"
      chosen={textOf(values, 'start')}
    />
  ),
}

/** What the form asks. */
export const parts: readonly FormPart[] = [
  {
    title: 'Organisation',
    fields: [
      {
        name: 'name',
        label: 'Name',
        attributes: { required: true, maxlength: 200, autocomplete: 'organization' },
      },
      colourField,
    ],
  },
  {
    title: 'First administrator',
    hint: 'You, or the person who will run it',
    fields: [
      {
        name: 'email',
        label: 'E-mail address',
        attributes: { type: 'email', required: true, maxlength: 254, autocomplete: 'email' },
      },
    ],
  },
  {
    title: 'Public pages',
    fields: [
      {
        name: 'publicPages',
        label: 'Let the public see events and sign up',
        help: 'Nobody sees an event until you publish it.',
        tickedValue: 'on',
      },
      {
        name: 'privacyNotice',
        label: 'Privacy notice',
        help: 'The https address of the page that says how you use personal data. Public pages need it.',
        attributes: { type: 'url', maxlength: 2000 },
      },
    ],
  },
  { title: 'Start with', fields: [startField] },
]
