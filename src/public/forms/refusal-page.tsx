import type { Context } from 'hono'
import { statuses } from '../../model/api-error.ts'
import { PublicError } from '../../sign-up/public-error.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicPage } from '../ui/page.tsx'

type Words = { title: string; advice: (organisation: string) => string }
type Refusals = Readonly<Partial<Record<PublicError['reason'], Words>>>

/** Renders why a form cannot be answered, and what its reader can do. Rethrows other errors. */
export function renderRefusal(c: Context<PublicEnv>, error: unknown) {
  const refusals: Refusals = texts.form.refusals
  const words = error instanceof PublicError ? refusals[error.reason] : undefined
  if (!(error instanceof PublicError) || !words) throw error
  const { site } = c.var
  const { contactEmail, contactPhone } = site.settings
  return c.html(
    <PublicPage site={site} title={words.title}>
      <h1>{words.title}</h1>
      {error.subject && <p class="quiet">{error.subject}</p>}
      <p>{error.message}</p>
      <p>{words.advice(site.organisationName)}</p>
      {(contactEmail || contactPhone) && (
        <ul>
          {contactEmail && (
            <li>
              <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
            </li>
          )}
          {contactPhone && (
            <li>
              <a href={`tel:${contactPhone.replaceAll(/[^\d+]/g, '')}`}>{contactPhone}</a>
            </li>
          )}
        </ul>
      )}
    </PublicPage>,
    statuses[error.type],
  )
}
