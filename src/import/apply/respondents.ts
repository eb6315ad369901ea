import type { Assignment } from '../infer/assign-targets.ts'
import { respondentField, type SurveyForm } from '../infer/form-targets.ts'
import { canonicalName } from '../infer/heading-names.ts'
import type { Survey } from '../infer/survey.ts'
import type { TargetField } from '../infer/target-fields.ts'
import { UnreadableFileError } from '../read.ts'

/** Assigns the column that identifies respondents, by email or name. Throws UnreadableFileError if it does not exist. */
export function assignRespondents(
  { form, targetFields }: { form?: SurveyForm | undefined; targetFields: readonly TargetField[] },
  headings: readonly string[],
  survey: Survey,
  match: readonly string[] = [],
): Assignment[] {
  const targetField = form && targetFields.find(({ path }) => path === respondentField(form))
  if (!targetField || match.length === 0) return []
  const [by, ...others] = match
  if ((by !== 'email' && by !== 'name') || others.length > 0) {
    throw new UnreadableFileError(0, 'holds answers: choose email or name to match the people.')
  }
  const canonical = by === 'email' ? 'Email' : 'Full Name'
  const heading = headings.find((heading) => {
    const { filled = 0, emails = 0 } = survey.columns.get(heading) ?? {}
    return canonicalName(heading) === canonical && filled > 0 && (by === 'name' || emails > 0)
  })
  if (heading !== undefined) return [{ heading, targetField, as: 'link', by }]
  throw new UnreadableFileError(
    0,
    `has no column of ${by === 'email' ? 'e-mail addresses' : 'names'} to find people by.`,
  )
}
