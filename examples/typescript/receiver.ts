import { createHmac, timingSafeEqual } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

// Receives the messages of a webhook and prints each once, as a line of JSON:
// `WEBHOOK_SECRET=whsec_... node receiver.ts`. Put a proxy with https and a public name in front of it.

const { WEBHOOK_SECRET = '', PORT = '9000', SEEN = 'seen-messages' } = process.env
// Anybody can sign with an empty key.
if (!/^whsec_[A-Za-z0-9+/]{43}=$/.test(WEBHOOK_SECRET)) {
  console.error('WEBHOOK_SECRET must be the secret of the webhook: whsec_ and 44 characters.')
  process.exit(1)
}
const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64')
const tolerance = 5 * 60

/** Checks that a message was signed with the secret a short time ago. During a rotation, it has two signatures. */
function isGenuine(headers: IncomingHttpHeaders, body: string): boolean {
  const [id, sent] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
  if (!(Math.abs(Date.now() / 1000 - Number(sent)) <= tolerance)) return false
  const expected = createHmac('sha256', key).update(`${id}.${sent}.${body}`).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

/** The ids of received messages, including those of earlier runs. */
const seen = new Set((await readFile(SEEN, 'utf8').catch(() => '')).split('\n'))

createServer(async (request, answer) => {
  const body = await text(request)
  const id = String(request.headers['webhook-id'])
  if (!isGenuine(request.headers, body)) {
    answer.writeHead(401).end('This is not signed with my secret.')
    return
  }
  if (!seen.has(id)) {
    // The message names the record: fetch it from the API here.
    console.log(body)
    seen.add(id)
    await appendFile(SEEN, `${id}\n`)
  }
  // Answer last, so that an unprocessed message is sent again.
  answer.writeHead(204).end()
}).listen(Number(PORT), () => console.error(`Listening on http://localhost:${PORT}`))
