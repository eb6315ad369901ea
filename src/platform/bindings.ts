/** The binding of a database with the records of organisations. */
export type DatabaseName = 'DB' | `DB_${number}`

export const isDatabaseName = (name: string): name is DatabaseName => /^DB(?:_\d+)?$/.test(name)

/**
 * The databases with the records of organisations. Each organisation is in one of them; `DB` also has the
 * directory of all organisations, the memberships and the sessions.
 */
export type RecordDatabases = { DB: D1Database; [name: `DB_${number}`]: D1Database }

/** The databases and KV. Handlers access them only through a store. */
export type Databases = RecordDatabases & { GEOGRAPHY: D1Database; KEYS: KVNamespace }

/** The bindings and settings that handlers may use. */
export type Settings = {
  /** The deployed version of the Worker. */
  VERSION?: WorkerVersionMetadata
  LIMIT_BY_CREDENTIAL: RateLimit
  LIMIT_FAILURES_BY_ADDRESS: RateLimit
  /** Counts units of 50,000 rows that an organisation's statements have read. */
  LIMIT_ROWS_BY_ORGANISATION: RateLimit
  LIMIT_PUBLIC_PAGES_BY_ADDRESS: RateLimit
  LIMIT_FORMS_BY_ADDRESS: RateLimit
  LIMIT_FORMS_BY_TARGET: RateLimit
  /** The first two limits and that of rows, as the value of the RateLimit-Policy header. */
  RATE_LIMIT_POLICY: string
  /** The `iss` of the accepted OpenID Connect provider. */
  AUTH_ISSUER?: string
  /** The `aud` of tokens for this API. */
  AUTH_AUDIENCE?: string
  /** The provider's JSON Web Key Set or its https address; discovered by default. */
  AUTH_JWKS?: string
  /** `true` to treat every email address from the provider as verified, even without a claim. */
  AUTH_TRUSTED_EMAILS?: string
  /** The dashboard's client id at the provider; the secret is optional. */
  AUTH_CLIENT_ID?: string
  AUTH_CLIENT_SECRET?: string
  /** The operator's secret for `/readyz?verbose`: at least 32 characters. */
  OPERATOR_TOKEN?: string
  /** The keys of Cloudflare Turnstile, which protects the public forms from robots, if both are set. */
  TURNSTILE_SITE_KEY?: string
  TURNSTILE_SECRET_KEY?: string
  /** The key that encrypts webhook secrets: 32 bytes in Base64, created by the deployment. */
  WEBHOOK_KEY?: string
  /** The key that is to replace WEBHOOK_KEY. Until it has, both open secrets. */
  WEBHOOK_KEY_NEXT?: string
  /** `true` in a trial, whose storage may be outside the European Union. */
  TRIAL?: string
  /** `true` if the operator accepts where a trial stores the data of many people. */
  STORAGE_CONFIRMED?: string
  /** The hosts of this service, separated by commas; `*` matches one label. */
  OWN_HOSTS?: string
}

/** The binding for webhooks. */
type WebhookBindings = {
  /** The queue of organisations with changed records. */
  CHANGES: Queue<{ organisationId: string }>
}

/** The bindings and settings for mail. */
export type MailBindings = {
  /** Cloudflare's `send_email` binding. */
  MAIL?: SendEmail
  /** The sender's address. Without it, no mail is sent. */
  MAIL_FROM?: string
  /** The https address of a provider that accepts `{from, to, reply_to, subject, text, html}` as JSON. */
  MAIL_API_URL?: string
  /** The key that the provider expects as a bearer token. */
  MAIL_API_KEY?: string
}

/** All bindings of wrangler.toml, with the operator's variables and secrets. `ASSETS` serves `public/`. */
export type Bindings = Databases & WebhookBindings & MailBindings & Settings & { ASSETS: Fetcher }
