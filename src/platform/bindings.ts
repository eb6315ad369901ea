/** Where an organisation's data lies. Only what opens them for one credential, and the operator, hold these. */
export type Databases = { DB: D1Database; GEOGRAPHY: D1Database; KEYS: KVNamespace }

/** What pages and handlers may know of what wrangler.toml binds, and of what an operator sets. */
export type Settings = {
  LIMIT_BY_CREDENTIAL: RateLimit
  LIMIT_FAILURES_BY_ADDRESS: RateLimit
  /** The two limits above as answers tell them, in RateLimit-Policy. */
  RATE_LIMIT_POLICY: string
  /** The OpenID Connect provider whose tokens are accepted: its `iss`, as it spells it. */
  AUTH_ISSUER?: string
  /** The `aud` that tokens for this API bear. */
  AUTH_AUDIENCE?: string
  /** The provider's JSON Web Key Set, or its https address; found by discovery if not given. */
  AUTH_JWKS?: string
  /** `true` where the provider vouches for every address it gives, though its tokens do not say so. */
  AUTH_TRUSTED_EMAILS?: string
  /** The dashboard's registration with the provider; its secret, where it has one, is a secret here. */
  AUTH_CLIENT_ID?: string
  AUTH_CLIENT_SECRET?: string
}

/** What webhooks are sent with. */
export type WebhookBindings = {
  /** Told of organisations whose records have changed. */
  CHANGES: Queue<{ organisationId: string }>
  /** What the secrets of webhooks are encrypted with: 32 bytes in Base64, a secret that a deployment makes. */
  WEBHOOK_KEY?: string
  /** The hosts that this service answers at, separated by commas; `*` is any one label. */
  OWN_HOSTS?: string
}

/** All that wrangler.toml binds, and the variables and secrets an operator may set. */
export type Bindings = Databases & WebhookBindings & Settings
