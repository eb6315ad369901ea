import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateWebhookKey } from '../../src/webhooks/secret.ts'

const name = 'WEBHOOK_KEY'

/** The local key for webhook secrets. Creates it in `folder` if it is missing. */
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
