import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { notifyWebhooks, runInBackground } from '../../auth/background-tasks.ts'
import { findNetwork, limitPublicPages } from '../../auth/limits.ts'
import type { HttpEnv } from '../../http/env.ts'
import { openMail } from '../../mail/mail.ts'
import type { Bindings } from '../../platform/bindings.ts'
import type { SignUpContext } from '../../sign-up/context.ts'
import { type FormSubmission, submitForm } from '../../sign-up/forms/submit.ts'
import { openPublicStore } from '../../sign-up/public-pages.ts'
import type { Store } from '../../store/store.ts'
import type { PublicSite } from '../ui/site.ts'
import { readSite } from './read-site.ts'
import { turnstileOrigin, turnstileScript } from './robots.tsx'

/** The Hono environment of the public pages: the organisation's site and its records. */
export type PublicEnv = {
  Bindings: HttpEnv['Bindings']
  Variables: HttpEnv['Variables'] & {
    store: Store
    site: PublicSite
    signUpContext: SignUpContext
    /** Stores the answers to a form. */
    submitForm(submission: FormSubmission): Promise<void>
  }
}

type DatabaseEnv = { Bindings: Bindings; Variables: PublicEnv['Variables'] }

/** Opens the site of the organisation in the path, or responds with 404. */
export const openSite = createMiddleware<DatabaseEnv, '/:organisation/*'>(async (c, next) => {
  await limitPublicPages(c)
  const organisationId = c.req.param('organisation')
  const store = openPublicStore(c.env, organisationId)
  const site = await readSite(c.env, store, c.req.query('embed') === '1')
  c.set('store', store)
  c.set('site', site)
  const context = {
    store,
    mail: openMail(c.env),
    geography: c.env.GEOGRAPHY,
    origin: new URL(c.req.url).origin,
    network: await findNetwork(c.req),
    runInBackground: (task: () => Promise<void>) =>
      runInBackground(
        c,
        task().then(() => notifyWebhooks(c, store)),
      ),
  }
  c.set('signUpContext', context)
  c.set('submitForm', (submission) => submitForm(context, submission))
  await next()
  notifyWebhooks(c, store)
})

/** The security headers of every public page: no script but that of the exit link, and nothing of other origins but Turnstile's, if its keys are set. */
export const publicHeaders = createMiddleware<PublicEnv>(async (c, next) => {
  await next()
  const { site } = c.var
  const ancestors = site?.isEmbedded ? site.settings.frameAncestors : []
  const scripts = [
    ...(site?.settings.hasExitLink ? ["'self'"] : []),
    ...(turnstileScript(c) ? [turnstileOrigin] : []),
  ]
  const setHeaders = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      ...(scripts.length > 0 && { scriptSrc: scripts }),
      ...(turnstileScript(c) && { frameSrc: [turnstileOrigin] }),
      frameAncestors: ancestors.length > 0 ? ancestors : ["'none'"],
    },
    // The service sets this header on every response.
    strictTransportSecurity: false,
    xFrameOptions: ancestors.length > 0 ? false : 'DENY',
    referrerPolicy: 'no-referrer',
  })
  await setHeaders(c, async () => {})
})
