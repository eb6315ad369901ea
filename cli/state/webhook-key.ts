import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newWebhookKey } from '../../src/webhooks/secret.ts'

const name = 'WEBHOOK_KEY'

/** The key of this machine's webhook secrets: the file in `folder` that the local Worker reads it from, which is made at first, and itself. */
export async function localWebhookKey(folder: string): Promise<{ file: string; key: string }> {
  const file = join(folder, 'local-webhook-key.env')
  await mkdir(folder, { recursive: true })
  // Two commands may start at once: the first to write decides, and both read what it wrote.
  const line = `${name}=${newWebhookKey()}\n`
  await writeFile(file, line, { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  const text = await readFile(file, 'utf8')
  return { file, key: text.trim().slice(name.length + 1) }
}
