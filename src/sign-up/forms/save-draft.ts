import { saveFormDraft } from '../../store/sign-up/form-drafts.ts'
import type { Store } from '../../store/store.ts'
import { PublicError } from '../public-error.ts'
import { alreadyAnswered, type OpenForm } from './open-form.ts'

/** The maximum size of a draft as JSON: that of a response. */
const maxBytes = 100_000

/** Saves what somebody with a personal link has entered, without checking it. Throws 413 for a draft that is too large, and 410 for a link that is used. */
export async function saveDraft(
  store: Store,
  { form, link }: OpenForm,
  draft: { page: string; values: readonly [name: string, value: string][] },
): Promise<void> {
  if (!link) throw new PublicError('noLink')
  if (new TextEncoder().encode(JSON.stringify(draft)).length > maxBytes)
    throw new PublicError('answersTooLong')
  const isSaved = await saveFormDraft(
    store,
    {
      formId: form.formId,
      hash: link.hash,
      allowsSeveral: form.allowMultipleApplications,
    },
    { ...draft, saved: new Date().toISOString() },
  )
  if (!isSaved) throw alreadyAnswered(form)
}
