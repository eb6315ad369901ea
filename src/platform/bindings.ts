/** The databases, which handlers reach only through a store. */
export type Databases = { DB: D1Database; GEOGRAPHY: D1Database; KEYS: KVNamespace }

/** The bindings and settings that handlers may use. */
export type Settings = {
  LIMIT_BY_CREDENTIAL: RateLimit
  LIMIT_FAILURES_BY_ADDRESS: RateLimit
  /** The two limits above in the form of the header RateLimit-Policy. */
  RATE_LIMIT_POLICY: string
  /** The `iss` of the accepted OpenID Connect provider. */
  AUTH_ISSUER?: string
  /** The `aud` of tokens for this API. */
  AUTH_AUDIENCE?: string
  /** The provider's JSON Web Key Set, or its https address; by default found by discovery. */
  AUTH_JWKS?: string
  /** `true` if every e-mail address of the provider counts as verified, even without a claim. */
  AUTH_TRUSTED_EMAILS?: string
  /** The dashboard's registration with the provider, with its client secret if it has one. */
  AUTH_CLIENT_ID?: string
  AUTH_CLIENT_SECRET?: string
}

/** The bindings for webhooks. */
type WebhookBindings = {
  /** The queue of organisations with changed records. */
  CHANGES: Queue<{ organisationId: string }>
  /** The key that encrypts webhook secrets: 32 bytes in Base64, created by the deployment. */
  WEBHOOK_KEY?: string
  /** The hosts of this service, separated by commas; `*` matches one label. */
  OWN_HOSTS?: string
}

/** All bindings of wrangler.toml, with the operator's variables and secrets. */
export type Bindings = Databases & WebhookBindings & Settings
