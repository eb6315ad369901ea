import { app } from './app.ts'
import { localClaims } from './auth/local.ts'
import { type LocalProvider, localProvider, parseKeySet } from './auth/provider.ts'
import { localSignIn, localSignInPath } from './dashboard/sign-in/local-sign-in.ts'
import worker from './index.ts'
import type { Bindings } from './platform/bindings.ts'
import { withRetry } from './platform/retry.ts'
import type { ChangeEvent } from './webhooks/deliver.ts'
import { allowsLocalReceivers } from './webhooks/local-receivers.ts'

/*
 * The Worker of a local machine: `npm start` runs this one, and wrangler.toml deploys index.ts.
 * Nothing of this file is in what is deployed, so no variable can switch local tokens on there;
 * and were it deployed, no address on the internet is one of the machine's own.
 */

type LocalBindings = Bindings & {
  /** The public half of the machine's signing key, as a JSON Web Key Set. */
  LOCAL_JWKS?: string
  /** `true` where webhooks may be sent to receivers on this machine. */
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

/** The bindings, with a database that waits: an import of the command line may be writing to the same files. */
function withLocalBindings(env: LocalBindings): LocalBindings {
  const isAllowed = env.LOCAL_WEBHOOKS === 'true'
  return { ...env, DB: withRetry(env.DB), ...(isAllowed && { [allowsLocalReceivers]: true }) }
}

/** The bindings with the machine's own identity provider, for a request that came to the machine itself. */
function withProvider(request: Request, env: LocalBindings): Bindings & LocalProvider {
  if (!env.LOCAL_JWKS || env.AUTH_ISSUER || !isLoopback(new URL(request.url).hostname)) return env
  const { issuer, audience } = localClaims
  return {
    ...env,
    [localProvider]: { issuer, audience, keys: parseKeySet(env.LOCAL_JWKS), verifiesEmails: false },
  }
}

const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
