import { audiences } from '../../model/forms/survey-form.ts'
import { noOption } from '../ui/controls.tsx'
import type { FormField } from '../ui/fields.tsx'
import type { FormPart } from '../ui/fields-form.tsx'

/** The types of forms with their labels. */
export const formTypes: Readonly<Record<string, string>> = {
  survey: 'Survey',
  anonymous: 'Anonymous survey',
  application: 'Application',
  'progress-report': 'Progress report',
  scorecard: 'Scorecard',
  'session-plan': 'Session plan',
}

/** A setting that is on or off. */
const toSwitch = (name: string, label: string): FormField => ({ name, label, tickedValue: 'true' })

/** The settings of a form. Each field has the path of its property. */
export const settingsParts: readonly (FormPart & { fields: readonly FormField[] })[] = [
  {
    title: 'Form',
    fields: [
      {
        name: 'name',
        label: 'Name',
        attributes: { required: true, maxlength: 255, autocomplete: 'off' },
      },
      {
        name: 'type',
        label: 'Type',
        options: Object.entries(formTypes).map(([value, label]) => ({ value, label })),
      },
      { name: 'description', label: 'Introduction (optional)', isLong: true },
    ],
  },
  {
    title: 'Who can answer',
    fields: [
      toSwitch(
        'addPersonPublic',
        'Anyone with the address; if the answers fill fields, they create a new person',
      ),
      toSwitch('settings.requiresLogin', 'Only people with a personal link'),
      toSwitch('allowMultipleApplications', 'A person can answer several times'),
      toSwitch('settings.isAnonymous', 'Anonymous: answers are stored without a person'),
      toSwitch('settings.isArchived', 'Nobody: the form is archived'),
      {
        name: 'deadline',
        label: 'Deadline (optional)',
        summaryLabel: 'The deadline',
        help: 'UK time.',
        attributes: { type: 'datetime-local' },
      },
    ],
  },
  {
    title: 'How it looks',
    fields: [
      toSwitch('settings.coverPage', 'Begin with a cover page'),
      toSwitch('settings.individualMode', 'Show one question a page'),
      toSwitch('settings.hideQuestionNumbers', 'Hide the numbers of questions'),
    ],
  },
  {
    title: 'What happens to the answers',
    fields: [
      toSwitch('schemaForm', 'They fill the fields of their person'),
      {
        name: 'formFor',
        label: 'Answers fill the fields of',
        summaryLabel: 'The kind of people',
        options: [
          noOption,
          ...Object.values(audiences).map(({ formFor }) => ({ value: formFor, label: formFor })),
        ],
      },
      toSwitch(
        'settings.calculateOverallScore',
        'The numbers of the chosen options are added up to a score',
      ),
      {
        name: 'settings.scoreDirection',
        label: 'Score',
        options: [
          noOption,
          { value: 'ascending', label: 'A higher score is better' },
          { value: 'descending', label: 'A lower score is better' },
        ],
      },
      {
        name: 'settings.afterSubmitMessage',
        label: 'Message after sending (optional)',
        isLong: true,
      },
    ],
  },
]
