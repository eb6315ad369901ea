import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { setProperty, valueAt } from '../../model/json.ts'
import { fromLondon, toLondon } from '../../model/timestamp.ts'

/** The types of forms with their labels. */
export const formTypes: Readonly<Record<string, string>> = {
  survey: 'Survey',
  anonymous: 'Anonymous survey',
  application: 'Application',
  'progress-report': 'Progress report',
  scorecard: 'Scorecard',
  'session-plan': 'Session plan',
}

/** The settings that are on or off, by the path of their property, in groups. */
export const switchGroups = [
  {
    title: 'Who can answer',
    switches: {
      addPersonPublic:
        'Anyone with the address; if the answers fill fields, they create a new person',
      'settings.requiresLogin': 'Only people with a personal link',
      allowMultipleApplications: 'A person can answer several times',
      'settings.isAnonymous': 'Anonymous: answers are stored without a person',
      'settings.isArchived': 'Nobody: the form is archived',
    },
  },
  {
    title: 'How it looks',
    switches: {
      'settings.coverPage': 'Begin with a cover page',
      'settings.individualMode': 'Show one question a page',
      'settings.hideQuestionNumbers': 'Hide the numbers of questions',
    },
  },
  {
    title: 'What happens to the answers',
    switches: {
      schemaForm: 'They fill the fields of their person',
      'settings.calculateOverallScore': 'The numbers of the chosen options are added up to a score',
    },
  },
] as const

const switchNames = switchGroups.flatMap(({ switches }) => Object.keys(switches))

const textNames = [
  ...(['name', 'type', 'description', 'formFor', 'settings.scoreDirection'] as const),
  'settings.afterSubmitMessage',
] as const

/** The form values of a form's settings: texts, and `true` for each active switch. */
export type SettingsDraft = Readonly<Record<string, string>>

/** Returns the form values of a form. */
export const toDraft = (form: SurveyForm): SettingsDraft =>
  Object.fromEntries([
    ...[...textNames, ...switchNames].map((name) => [name, format(valueAt(form, name.split('.')))]),
    ['deadline', form.deadline === null ? '' : toLondon(form.deadline)],
  ])

const format = (value: unknown) =>
  value === null || value === undefined || value === false ? '' : String(value)

/** Parses the values of a submitted form. */
export const parseDraft = (fields: Readonly<Record<string, unknown>>): SettingsDraft =>
  Object.fromEntries(
    [...textNames, ...switchNames, 'deadline'].map((name) => [
      name,
      String(fields[name] ?? '')
        .replaceAll('\r\n', '\n')
        .trim(),
    ]),
  )

/**
 * Returns the change of a form that sets these values, or the errors by form field. A deadline that
 * is unedited stays as the source wrote it.
 */
export function buildPatch(
  draft: SettingsDraft,
  form: SurveyForm | undefined,
): { patch: Record<string, unknown> } | { errors: Record<string, string> } {
  const { name = '', type = '', deadline = '' } = draft
  const isUnedited = form !== undefined && toDraft(form).deadline === deadline
  const end = isUnedited ? form.deadline : deadline === '' ? null : fromLondon(deadline)
  const errors = {
    ...(name === '' && { name: 'must not be empty.' }),
    ...(!Object.hasOwn(formTypes, type) && { type: 'must be one of the types.' }),
    ...(end === undefined && { deadline: 'must be a date and a time.' }),
    ...(draft.schemaForm === 'true' &&
      draft.formFor === '' && { formFor: 'must be chosen if answers fill fields.' }),
  }
  if (Object.keys(errors).length > 0) return { errors }
  const patch: Record<string, unknown> = { deadline: end }
  for (const name of textNames) setProperty(patch, name.split('.'), draft[name] || null)
  for (const name of switchNames) setProperty(patch, name.split('.'), draft[name] === 'true')
  return { patch }
}
