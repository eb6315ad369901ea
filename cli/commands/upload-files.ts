import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as z from 'zod'
import { Faults } from '../../src/import/faults.ts'
import { mostBytes, mostRecords } from '../../src/import/limits.ts'
import { Refusal } from '../terminal/refusal.ts'
import { type Parts, partsOf } from './file-parts.ts'
import { bytesOf, type FileOutcome, fileSource, filesIn, nameOf } from './import-files.ts'

/** The service that files are sent to, the organisation and a key of it, and who is told how many bytes are sent. */
export type Service = {
  url: string
  organisationId: string
  key: string | undefined
  progress: (done: number, whole: number) => void
}

const types: Record<string, string> = {
  '.csv': 'text/csv',
  '.ndjson': 'application/x-ndjson',
  '.json': 'application/json',
}

const Answer = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  faulty: z.int(),
  faults: z.array(
    z.object({
      field: z.string(),
      reason: z.string(),
      count: z.int(),
      lines: z.array(z.int()),
    }),
  ),
})
type Answer = z.output<typeof Answer>

const most = { bytes: mostBytes, records: mostRecords }
const mostAttempts = 5

/** Sends files named after their collections, and folders of such files, to a service that imports them; or has it only say what that would do. */
export async function* uploadFiles(
  paths: readonly string[],
  service: Service,
  isDry = false,
): AsyncGenerator<FileOutcome> {
  const { key, ...to } = service
  if (!key) {
    throw new Refusal(
      'Set API_KEY to a key of the organisation with the right to write: key create … --may read,create-members,write.',
    )
  }
  const address = addressOf(to.url)
  const files = filesIn(paths)
  for (const file of files) {
    if (nameOf(file) === 'schemas')
      throw new Refusal(`${file}: schemas are imported by the operator, without --url.`)
  }
  for (const file of files) yield upload(file, { ...to, address, key }, isDry)
}

type Target = Omit<Service, 'url' | 'key'> & { address: URL; key: string }

/** Sends a file. One of several parts is checked part by part before any is kept. */
async function upload(file: string, to: Target, isDry: boolean): Promise<FileOutcome> {
  const collection = nameOf(file)
  const extension = extname(file).toLowerCase()
  const { size } = fileSource(file)
  const isJson = extension === '.json'
  if (isJson && size > mostBytes)
    throw new Refusal(
      `${file} has more than ${mostBytes >> 20} MiB: make it .ndjson, which can be sent in parts.`,
    )
  const parts: Parts = isJson
    ? { head: 0, parts: [{ from: 0, to: size, linesBefore: 0 }] }
    : await partsOf(file, bytesOf(file), extension === '.csv', most)
  const rounds = parts.parts.length > 1 && !isDry ? [true, false] : [isDry]
  const totals = { created: 0, updated: 0, unchanged: 0 }
  const faults = new Faults()
  let [sent, faulty] = [0, 0]
  for (const dry of rounds) {
    for (const [place, part] of parts.parts.entries()) {
      const head = place > 0 ? await whole(bytesOf(file, 0, parts.head)) : []
      const body = new Blob([...head, ...(await whole(bytesOf(file, part.from, part.to)))])
      const answer = await send(file, body, { collection, dry, type: String(types[extension]) }, to)
      faulty += answer.faulty
      for (const group of answer.faults) {
        const lines = group.lines.map((line) => line + part.linesBefore)
        faults.merge({ ...group, lines })
      }
      if (dry === isDry) {
        totals.created += answer.created
        totals.updated += answer.updated
        totals.unchanged += answer.unchanged
      }
      sent += part.to - part.from
      to.progress(sent, size * rounds.length)
    }
    if (faults.groups.length > 0) break
  }
  const records = totals.created + totals.updated + totals.unchanged
  return { file, collection, records, faulty, counts: totals, faults: faults.groups }
}

const whole = (bytes: AsyncIterable<Uint8Array<ArrayBuffer>>) => Array.fromAsync(bytes)

/** Sends a file or a part of one, again where that may help: the answer is then still that of the first time. */
async function send(
  file: string,
  body: Blob,
  { collection, dry, type }: { collection: string; dry: boolean; type: string },
  { address, organisationId, key }: Target,
): Promise<Answer> {
  const url = new URL('api/v1/imports', address)
  url.search = String(new URLSearchParams({ collection, organisationId, $dry: String(dry) }))
  const headers = { 'x-api-key': key, 'Content-Type': type, 'Idempotency-Key': randomUUID() }
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' }).catch(
      () => undefined,
    )
    if (answer?.status === 200) return Answer.parse(await answer.json())
    const mayWork = !answer || answer.status === 429 || answer.status >= 500
    if (!mayWork || attempt === mostAttempts) throw await refused(file, address, answer)
    const seconds = Number(answer?.headers.get('Retry-After') ?? attempt)
    await setTimeout(1000 * Math.min(seconds || attempt, 60))
  }
}

async function refused(file: string, { host }: URL, answer: Response | undefined) {
  if (!answer) return new Refusal(`${file}: ${host} cannot be reached.`)
  const body: unknown = await answer.json().catch(() => undefined)
  const { data } = z.object({ message: z.string() }).safeParse(body)
  return new Refusal(
    `${file}: ${host} answered ${answer.status}. ${data?.message ?? 'Is this the address of the service?'}`,
  )
}

/** The address of a service; a key is not sent anywhere that others could read it. */
function addressOf(text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(address?.hostname ?? '')
  if (address?.protocol === 'https:' || (address?.protocol === 'http:' && isLocal)) {
    return new URL('/', address)
  }
  throw new Refusal('--url must be the address of a service, such as https://api.example.org.')
}
