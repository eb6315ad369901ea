import { type FormItem, fieldNamesOf } from './fields.tsx'
import { type FieldErrors, hasErrors } from './form-values.ts'

type ErrorSummaryProps = {
  items: readonly FormItem[]
  errors: FieldErrors
  error?: string | undefined
  /** The consequence of errors of fields. */
  failure: string
}

/** Renders the errors of a form, each with a link to its field (GOV.UK error summary). */
export function ErrorSummary({ items, errors, error, failure }: ErrorSummaryProps) {
  if (!error && !hasErrors(errors)) return null
  const faulty = items.flatMap((item) =>
    fieldNamesOf(item).names.flatMap((name) => {
      const message = errors[name]
      return message ? [{ name, message: completeMessage(item, message) }] : []
    }),
  )
  return (
    <div class="error-summary" role="alert" aria-labelledby="problem" tabindex={-1}>
      <h2 id="problem">There is a problem</h2>
      <p>{error ?? `${failure} Correct the errors below.`}</p>
      {faulty.length > 0 && (
        <ul>
          {faulty.map(({ name, message }) => (
            <li>
              <a href={`#field-${name}`}>{message}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Completes a message without a subject by the label of its field. */
export const completeMessage = (
  { label, summaryLabel = label }: { label: string; summaryLabel?: string },
  message: string,
): string => (/^[a-z]/.test(message) ? `${summaryLabel} ${message}` : message)
