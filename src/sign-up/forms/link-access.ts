import type { AccessPolicy } from '../../access/access-policy.ts'
import { refuseHiddenAnswers, requireCollection } from '../../access/credential.ts'
import {
  filledKind,
  isAnonymous,
  type Question,
  type SurveyForm,
} from '../../model/forms/survey-form.ts'
import type { Kind, Schema } from '../../model/properties/schema.ts'
import { answerableQuestions } from './answers.ts'

/** A form, and the schema that its answers fill, if any. */
type FormWithSchema = { form: SurveyForm; schema: Schema | undefined }

/**
 * Throws 403 unless a policy shows everything that a link to a form reads and writes: whether somebody has
 * answered, the people, the answers, and the fields that they fill. `kinds` are those of the people who get links.
 */
export function requireLinkAccess(
  policy: AccessPolicy,
  formWithSchema: FormWithSchema,
  kinds: ReadonlySet<Kind>,
): void {
  for (const collection of [...writtenCollections(formWithSchema), ...kinds])
    requireCollection(policy, collection)
  refuseHiddenAnswers(hiddenQuestions(policy, formWithSchema))
}

/** Whether a policy shows everything that the answer to a form writes. */
export const showsAnswer = (policy: AccessPolicy, formWithSchema: FormWithSchema): boolean =>
  writtenCollections(formWithSchema).every((collection) => policy.allowsCollection(collection)) &&
  hiddenQuestions(policy, formWithSchema).length === 0

function writtenCollections({ form }: FormWithSchema): string[] {
  const kind = isAnonymous(form) ? undefined : filledKind(form)
  return ['survey-responses', ...(kind ? [kind] : [])]
}

function hiddenQuestions(policy: AccessPolicy, { form, schema }: FormWithSchema): Question[] {
  const hidden = policy.hiddenFields(schema?.fields ?? [])
  return answerableQuestions(form).filter(
    (question) => hidden.has(question.questionId) || policy.hidesAnswer(question),
  )
}
