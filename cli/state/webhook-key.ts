import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateWebhookKey, isWebhookKey } from '../../src/webhooks/secret.ts'
import { CommandError } from '../terminal/report.ts'

const name = 'WEBHOOK_KEY'

/** Returns the local key for webhook secrets. Creates it in `folder` if it is missing. */
export async function ensureLocalWebhookKey(folder: string): Promise<string> {
  const file = join(folder, 'local-webhook-key.env')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Two commands may start at once: the first write wins, and both read the same key.
  const line = `${name}=${generateWebhookKey()}\n`
  await writeFile(file, line, { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  const text = await readFile(file, 'utf8')
  return text.trim().slice(name.length + 1)
}

/** Returns WEBHOOK_KEY, or the setting that is to replace it, from the environment variables. Throws CommandError if it is invalid. */
export function readWebhookKey(
  setting: typeof name | `${typeof name}_NEXT` = name,
): string | undefined {
  const given = process.env[setting]
  if (!given) return undefined
  if (isWebhookKey(given)) return given
  throw new CommandError(
    `${setting} must be 32 random bytes in Base64, as openssl rand -base64 32 prints.`,
  )
}
