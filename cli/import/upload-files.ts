import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import * as z from 'zod'
import { ErrorCollector } from '../../src/import/report/error-collector.ts'
import { maxFileBytes, maxRecords } from '../../src/import/source/upload-limits.ts'
import { errorCodes } from '../../src/model/validation-error.ts'
import { CommandError } from '../terminal/report.ts'
import { type FileParts, splitFile } from './file-parts.ts'
import {
  collectionName,
  type FileResult,
  fileSource,
  type ImportDestination,
  listFiles,
  readBytes,
  toUnwrittenResult,
} from './import-files.ts'
import { connectService, requestService, type Service, type ServiceConnection } from './service.ts'

type Progress = Pick<ImportDestination, 'progress'>

const contentTypes: Record<string, string> = {
  '.csv': 'text/csv',
  '.ndjson': 'application/x-ndjson',
  '.json': 'application/json',
}

const ImportResponse = z.object({
  created: z.int().default(0),
  updated: z.int().default(0),
  unchanged: z.int().default(0),
  /** The only count that a key without read permission receives. */
  accepted: z.int().default(0),
  rejected: z.int(),
  errors: z.array(
    z.object({
      field: z.string(),
      message: z.string(),
      code: z.enum(errorCodes),
      count: z.int(),
      lines: z.array(z.int()),
    }),
  ),
})
type ImportResponse = z.output<typeof ImportResponse>

const partLimits = { bytes: maxFileBytes, records: maxRecords }

/** Sends files named after their collections, and folders of such files, to a service. Checks all files before it imports any. */
export async function* uploadFiles(
  paths: readonly string[],
  service: Service & Progress,
  isDryRun = false,
): AsyncGenerator<FileResult> {
  const destination = { ...connectService(service), progress: service.progress }
  const files = listFiles(paths)
  for (const file of files) {
    const name = collectionName(file)
    if (name === 'schemas' || name === 'settings')
      throw new CommandError(`${file}: ${name} are imported by the operator, without --url.`)
  }
  const areChecked = isDryRun || files.length > 1
  if (areChecked) {
    const results: FileResult[] = []
    for (const file of files) results.push(await upload(file, destination, { isDry: true }))
    if (isDryRun) return yield* results
    if (results.some(({ errors }) => errors.length > 0))
      return yield* results.map(toUnwrittenResult)
  }
  for (const file of files) yield await upload(file, destination, { isChecked: areChecked })
}

type UploadDestination = ServiceConnection & Progress

/** Sends a file. Checks all parts first if the file has several and is still unchecked. */
async function upload(
  file: string,
  destination: UploadDestination,
  { isDry = false, isChecked = false }: { isDry?: boolean; isChecked?: boolean },
): Promise<FileResult> {
  const collection = collectionName(file)
  const extension = extname(file).toLowerCase()
  const { size } = fileSource(file)
  const isJson = extension === '.json'
  if (isJson && size > maxFileBytes)
    throw new CommandError(
      `${file} has more than ${maxFileBytes >> 20} MiB: make it .ndjson, which can be sent in parts.`,
    )
  const parts: FileParts = isJson
    ? { headerEnd: 0, parts: [{ from: 0, to: size, linesBefore: 0 }] }
    : await splitFile(file, readBytes(file), extension === '.csv', partLimits)
  const needsCheck = parts.parts.length > 1 && !isDry && !isChecked
  // A file in several parts is sent twice: as a dry run of all parts, then to be written. Errors end it after the dry run.
  const rounds = needsCheck ? [{ dry: true }, { dry: false }] : [{ dry: isDry }]
  const totals = { created: 0, updated: 0, unchanged: 0 }
  const errors = new ErrorCollector()
  let [sent, rejected, accepted] = [0, 0, 0]
  for (const { dry } of rounds) {
    for (const [index, part] of parts.parts.entries()) {
      const header = index > 0 ? await readAll(readBytes(file, 0, parts.headerEnd)) : []
      const body = new Blob([...header, ...(await readAll(readBytes(file, part.from, part.to)))])
      const response = await sendPart(
        file,
        body,
        { collection, dry, type: String(contentTypes[extension]) },
        destination,
      )
      rejected += response.rejected
      for (const { field, lines, ...group } of response.errors) {
        const examples = lines.map((line) => ({ line: line + part.linesBefore, value: '' }))
        errors.merge({ ...group, column: field, examples })
      }
      const isLastRound = dry === isDry
      if (isLastRound) {
        totals.created += response.created
        totals.updated += response.updated
        totals.unchanged += response.unchanged
        accepted += response.accepted
      }
      sent += part.to - part.from
      destination.progress(sent, size * rounds.length)
    }
    if (errors.groups.length > 0) break
  }
  const records = totals.created + totals.updated + totals.unchanged + accepted
  return { file, collection, records, ...totals, rejected, errors: errors.groups }
}

const readAll = (bytes: AsyncIterable<Uint8Array<ArrayBuffer>>) => Array.fromAsync(bytes)

/** Sends a file or a part. If the connection fails, `requestService` repeats the request: by its key, the service returns its first response and imports nothing twice. */
export async function sendPart(
  file: string,
  body: Blob,
  { collection, dry, type }: { collection: string; dry: boolean; type: string },
  connection: ServiceConnection,
): Promise<ImportResponse> {
  const response = await requestService(file, connection, {
    path: 'imports',
    query: { collection, $dryRun: String(dry) },
    headers: { 'Content-Type': type, 'Idempotency-Key': randomUUID() },
    body,
  })
  return ImportResponse.parse(await response.json())
}
