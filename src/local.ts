import { app } from './app.ts'
import { parseKeySet } from './auth/identity-settings.ts'
import { localClaims } from './auth/local.ts'
import { type LocalProvider, localProvider } from './auth/provider.ts'
import { localSignIn, localSignInPath } from './dashboard/sign-in/local-sign-in.ts'
import worker from './index.ts'
import { printsMail } from './mail/mail.ts'
import type { Bindings } from './platform/bindings.ts'
import { isLoopback } from './platform/loopback.ts'
import { withRetry } from './platform/retry.ts'
import { listDatabases } from './store/databases.ts'
import type { ChangeEvent } from './webhooks/deliver.ts'
import { allowsLocalReceivers } from './webhooks/local-receivers.ts'

/*
 * The Worker for local use: `npm start` runs it, and wrangler.toml deploys index.ts instead. Local
 * tokens need this file, which no deployment contains, and a loopback host.
 */

type LocalBindings = Bindings & {
  /** The public half of the machine's signing key, as a JSON Web Key Set. */
  LOCAL_JWKS?: string
  /** `true` permits webhook receivers on this machine. */
  LOCAL_WEBHOOKS?: string
}

export default {
  fetch(request, env, context) {
    const bindings = withProvider(request, withLocalBindings(env))
    const isSignIn = localProvider in bindings && new URL(request.url).pathname === localSignInPath
    return (isSignIn ? localSignIn : app).fetch(request, bindings, context)
  },
  queue: (batch, env, context) => worker.queue(batch, withLocalBindings(env), context),
  scheduled: (controller, env, context) =>
    worker.scheduled(controller, withLocalBindings(env), context),
} satisfies ExportedHandler<LocalBindings, ChangeEvent>

/** Adds the local settings, and retries while a command-line import writes to the same database. */
function withLocalBindings(env: LocalBindings): LocalBindings {
  const retried = listDatabases(env).map(([name, d1]) => [name, withRetry(d1)] as const)
  const isAllowed = env.LOCAL_WEBHOOKS === 'true'
  const local = { ...env, ...Object.fromEntries(retried), [printsMail]: true }
  return {
    ...local,
    ...(isAllowed && { [allowsLocalReceivers]: true }),
  }
}

/** The bindings with the local identity provider for requests to a loopback host. */
function withProvider(request: Request, env: LocalBindings): Bindings & LocalProvider {
  if (!env.LOCAL_JWKS || env.AUTH_ISSUER || !isLoopback(new URL(request.url).hostname)) return env
  const { issuer, audience } = localClaims
  return {
    ...env,
    [localProvider]: {
      issuer,
      audience,
      keys: parseKeySet(env.LOCAL_JWKS),
      trustsAllEmails: false,
    },
  }
}
