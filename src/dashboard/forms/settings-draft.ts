import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { setProperty, valueAt } from '../../model/json.ts'
import { fromLondon, toLondon } from '../../model/timestamp.ts'
import { readTexts } from '../ui/form-values.ts'
import { formTypes, settingsParts } from './settings-fields.ts'

const fields = settingsParts.flatMap((part) => part.fields)
const names = fields.map(({ name }) => name)

/** The form values of a form's settings: texts, and `true` for each active switch. */
export type SettingsDraft = Readonly<Record<string, string>>

/** The form values of a form. */
export const toSettingsDraft = (form: SurveyForm): SettingsDraft => ({
  ...Object.fromEntries(names.map((name) => [name, format(valueAt(form, name.split('.')))])),
  deadline: form.deadline === null ? '' : toLondon(form.deadline),
})

const format = (value: unknown) =>
  value === null || value === undefined || value === false ? '' : String(value)

/** The values of a submitted form. */
export const readSettingsDraft = (submitted: Readonly<Record<string, unknown>>): SettingsDraft =>
  readTexts(names, submitted)

/**
 * Builds the change of a form that sets these values, or returns the errors by form field. A deadline
 * that is unedited stays as the source wrote it.
 */
export function buildSettingsPatch(
  draft: SettingsDraft,
  form: SurveyForm | undefined,
): { patch: Record<string, unknown> } | { errors: Record<string, string> } {
  const deadline = parseDeadline(draft.deadline ?? '', form)
  const errors = {
    ...(draft.name === '' && { name: 'must not be empty.' }),
    ...(!Object.hasOwn(formTypes, draft.type ?? '') && { type: 'must be one of the types.' }),
    ...(deadline === undefined && { deadline: 'must be a date and a time.' }),
    ...(draft.schemaForm === 'true' &&
      draft.formFor === '' && { formFor: 'must be chosen if answers fill fields.' }),
  }
  if (Object.keys(errors).length > 0) return { errors }
  const patch: Record<string, unknown> = {}
  for (const { name, tickedValue } of fields) {
    const value = tickedValue === undefined ? draft[name] || null : draft[name] === tickedValue
    setProperty(patch, name.split('.'), value)
  }
  return { patch: { ...patch, deadline } }
}

/** The deadline as a timestamp, null for none, or undefined for an invalid one. */
function parseDeadline(text: string, form: SurveyForm | undefined): string | null | undefined {
  if (form && toSettingsDraft(form).deadline === text) return form.deadline
  return text === '' ? null : fromLondon(text)
}
