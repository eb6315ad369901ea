import { stripVTControlCharacters } from 'node:util'

const maxLines = 8
const maxLength = 800

/** Reasons that concern the sign-in: missing or rejected credentials. */
const signInReason = /CLOUDFLARE_API_TOKEN|\[code: (6003|9109|10000)\]/

const signInAdvice =
  'Sign in with npx wrangler login, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.'

/** Wrangler's own advice and traces, which follow the reason. */
const endOfReason =
  /^(If you think this is a bug|To continue without logging in|🪵|\S*Error: |at |\(error handler)/

/** Variables that identify the operator at Cloudflare. */
const secretVariables = [
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_API_KEY',
  'CLOUDFLARE_EMAIL',
  'CF_API_TOKEN',
  'CF_API_KEY',
  'CF_EMAIL',
]

/** The reason that wrangler printed for a failure, without the values of secret variables. */
export function parseWranglerError(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n')
  const start = lines.findIndex((line) => line.includes('[ERROR]'))
  if (start === -1) return 'It printed no reason.'
  const [, first = ''] = lines[start]?.split('[ERROR]') ?? []
  const rest = lines.slice(start + 1).map((line) => line.trim())
  const end = rest.findIndex((line) => endOfReason.test(line) || line.includes('[ERROR]'))
  const reason = [first.trim(), ...rest.slice(0, end === -1 ? undefined : end)].filter(Boolean)
  const text = hideSecrets(reason.slice(0, maxLines).join('\n')).slice(0, maxLength)
  return signInReason.test(text) ? `${text}\n${signInAdvice}` : text
}

/** Replaces the operator's credentials at Cloudflare in a text. */
export const hideSecrets = (text: string): string =>
  secretVariables
    .flatMap((name) => process.env[name] || [])
    .reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text)
