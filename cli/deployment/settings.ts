import { findIdentityProblems, isHttpsAddress } from '../../src/auth/identity-settings.ts'
import { findMissingSettings } from '../../src/platform/missing-settings.ts'
import { minTokenLength } from '../../src/site/operator-report.ts'
import { isWebhookKey } from '../../src/webhooks/secret.ts'
import { CommandError } from '../terminal/report.ts'

/** The Worker's settings from environment variables. */
export const settings = [
  'AUTH_ISSUER',
  'AUTH_AUDIENCE',
  'AUTH_JWKS',
  'AUTH_TRUSTED_EMAILS',
  'AUTH_CLIENT_ID',
  'AUTH_CLIENT_SECRET',
  'WEBHOOK_KEY',
  'WEBHOOK_KEY_NEXT',
  'MAIL_FROM',
  'MAIL_API_URL',
  'MAIL_API_KEY',
  'OPERATOR_TOKEN',
  'STORAGE_CONFIRMED',
] as const

type Setting = (typeof settings)[number]

/** Settings for mail with the setting that each requires. */
const mailRequirements: readonly (readonly [Setting, Setting])[] = [
  ['MAIL_API_URL', 'MAIL_API_KEY'],
  ['MAIL_API_KEY', 'MAIL_API_URL'],
  ['MAIL_API_URL', 'MAIL_FROM'],
]

/** The settings that have a value. Throws CommandError if one is invalid or needs another. */
export function readSettings(): Record<string, string> {
  const [problem] = [
    ...findIdentityProblems(process.env),
    ...findMissingSettings(process.env, mailRequirements),
  ]
  if (problem) throw new CommandError(problem)
  const { OPERATOR_TOKEN, MAIL_API_URL, STORAGE_CONFIRMED } = process.env
  if (MAIL_API_URL && !isHttpsAddress(MAIL_API_URL))
    throw new CommandError('MAIL_API_URL must be an https:// address.')
  if (STORAGE_CONFIRMED && !['true', 'false'].includes(STORAGE_CONFIRMED))
    throw new CommandError('STORAGE_CONFIRMED must be true or false.')
  if (OPERATOR_TOKEN && OPERATOR_TOKEN.length < minTokenLength)
    throw new CommandError(`OPERATOR_TOKEN must have at least ${minTokenLength} characters.`)
  readWebhookKey()
  readWebhookKey('WEBHOOK_KEY_NEXT')
  return Object.fromEntries(
    settings.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )
}

/** WEBHOOK_KEY, or the setting that is to replace it, from the environment variables. Throws CommandError if it is invalid. */
export function readWebhookKey(
  setting: 'WEBHOOK_KEY' | 'WEBHOOK_KEY_NEXT' = 'WEBHOOK_KEY',
): string | undefined {
  const given = process.env[setting]
  if (!given) return undefined
  if (isWebhookKey(given)) return given
  throw new CommandError(
    `${setting} must be 32 random bytes in Base64, as openssl rand -base64 32 prints.`,
  )
}
