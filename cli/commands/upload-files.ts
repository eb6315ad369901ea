import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import * as z from 'zod'
import { Faults } from '../../src/import/faults.ts'
import { mostBytes, mostRecords } from '../../src/import/limits.ts'
import { Refusal } from '../terminal/refusal.ts'
import { type Parts, partsOf } from './file-parts.ts'
import {
  bytesOf,
  type Destination,
  type FileOutcome,
  fileSource,
  filesIn,
  leftOut,
  nameOf,
} from './import-files.ts'
import { asked, type Reached, reached, type Service } from './service.ts'

type Progress = Pick<Destination, 'progress'>

const types: Record<string, string> = {
  '.csv': 'text/csv',
  '.ndjson': 'application/x-ndjson',
  '.json': 'application/json',
}

const Answer = z.object({
  created: z.int().default(0),
  updated: z.int().default(0),
  unchanged: z.int().default(0),
  /** Only this is told to a key that may not read. */
  accepted: z.int().default(0),
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

/** Sends files named after their collections, and folders of such files, to a service that checks all of them and then imports them; or has it only say what that would do. */
export async function* uploadFiles(
  paths: readonly string[],
  service: Service & Progress,
  isDry = false,
): AsyncGenerator<FileOutcome> {
  const to = { ...reached(service), progress: service.progress }
  const files = filesIn(paths)
  for (const file of files) {
    if (nameOf(file) === 'schemas')
      throw new Refusal(`${file}: schemas are imported by the operator, without --url.`)
  }
  const areChecked = isDry || files.length > 1
  if (areChecked) {
    const checked: FileOutcome[] = []
    for (const file of files) checked.push(await upload(file, to, { isDry: true }))
    if (isDry) return yield* checked
    if (checked.some(({ faults }) => faults.length > 0)) return yield* checked.map(leftOut)
  }
  for (const file of files) yield await upload(file, to, { isChecked: areChecked })
}

type Target = Reached & Progress

/** Sends a file. One of several parts that is not checked yet is checked part by part before any is kept. */
async function upload(
  file: string,
  to: Target,
  { isDry = false, isChecked = false }: { isDry?: boolean; isChecked?: boolean },
): Promise<FileOutcome> {
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
  const needsCheck = parts.parts.length > 1 && !isDry && !isChecked
  const rounds = needsCheck ? [true, false] : [isDry]
  const totals = { created: 0, updated: 0, unchanged: 0 }
  const faults = new Faults()
  let [sent, faulty, accepted] = [0, 0, 0]
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
        accepted += answer.accepted
      }
      sent += part.to - part.from
      to.progress(sent, size * rounds.length)
    }
    if (faults.groups.length > 0) break
  }
  const records = totals.created + totals.updated + totals.unchanged + accepted
  return { file, collection, records, faulty, counts: totals, faults: faults.groups }
}

const whole = (bytes: AsyncIterable<Uint8Array<ArrayBuffer>>) => Array.fromAsync(bytes)

/** Sends a file or a part of one. Sent again, it is answered as the first time. */
export async function send(
  file: string,
  body: Blob,
  { collection, dry, type }: { collection: string; dry: boolean; type: string },
  to: Reached,
): Promise<Answer> {
  const answer = await asked(file, to, {
    path: 'imports',
    query: { collection, $dry: String(dry) },
    headers: { 'Content-Type': type, 'Idempotency-Key': randomUUID() },
    body,
  })
  return Answer.parse(await answer.json())
}
