import { type Context, type Handler, Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { endpoint, type Valid } from '../http/contract.ts'
import { logError } from '../http/errors.ts'
import { closedQuery, flag } from '../http/query.ts'
import { repeatHeaders } from '../http/repeat.ts'
import { ApiError } from '../model/api-error.ts'
import { collectionNames } from '../model/collection-names.ts'
import { ErrorBody } from '../model/error-body.ts'
import { isKind, type Schema } from '../model/schema.ts'
import { isOutOfReach } from '../platform/outage.ts'
import { demandWhole } from '../records/keep.ts'
import { countsType, shownCounts } from '../routes/counts.ts'
import type { Store } from '../store/store.ts'
import type { Outcome } from './faults.ts'
import { importFile } from './import-file.ts'
import { mostRecords } from './limits.ts'
import { Interrupted } from './read.ts'
import type { Target } from './target.ts'
import { targetOf } from './targets.ts'
import { received } from './upload.ts'

const record = z.record(z.string(), z.unknown())

const contract = {
  summary: 'Import a file of records',
  description: `An addition to the contract, for credentials with the right to write. The body is a file of one collection, of at most 50 MiB and ${mostRecords.toLocaleString('en-GB')} records, as lists give it or as docs/importing.md describes it. It is checked as a whole; with any fault nothing is kept, and the answer tells the faults. Otherwise each record is created, or merged into the one with its id: a property or column that the file does not have stays as it is, an empty cell or null clears it, and a list is replaced as a whole. Records that are as they were stay untouched. What a record names need not be there. If the import breaks off, send the file again: every record is kept once.`,
  query: closedQuery({
    collection: z
      .enum(collectionNames, `must be one of ${collectionNames.join(', ')}.`)
      .meta({ description: 'Whose records the file holds.', examples: ['events'] }),
    $dry: flag('Whether to keep nothing, and only say what would be done.'),
  }),
  headers: repeatHeaders,
  file: {
    'text/csv': z.string().meta({ examples: ['eventId,name\r\nopen-day,Open day\r\n'] }),
    'application/x-ndjson': z
      .string()
      .meta({ examples: ['{"eventId":"open-day","name":"Open day"}\n'] }),
    'application/json': z
      .union([z.array(record), record])
      .meta({ examples: [[{ eventId: 'open-day', name: 'Open day' }]] }),
  },
  answers: {
    200: countsType({
      faulty: z
        .int()
        .meta({ description: 'How many records of the file have a fault.', examples: [0] }),
      faults: z
        .array(
          z.strictObject({
            field: z.string().meta({
              description: 'The field, or empty for a whole record.',
              examples: ['start'],
            }),
            reason: z.string().meta({
              description: 'What is wrong there and what is allowed; it names no value.',
              examples: ['must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.'],
            }),
            count: z.int().meta({ description: 'How many such faults there are.', examples: [3] }),
            lines: z
              .array(z.int())
              .max(3)
              .meta({
                description:
                  'The first lines of the file with it; none where the whole file is at fault.',
                examples: [[2, 7, 31]],
              }),
          }),
        )
        .meta({ description: 'What is wrong, by field and reason; empty if all was imported.' }),
    }).meta({ id: 'Imported' }),
    403: ErrorBody,
    413: ErrorBody,
    415: ErrorBody,
    422: ErrorBody,
  },
} as const

const handler: Handler<Env, '/', Valid<typeof contract>> = async (c) => {
  const { collection, $dry: dry } = c.req.valid('query')
  const target = await targetFor(c, collection)
  const extension = extensionOf(c.req.header('Content-Type') ?? '')
  const { organisationId } = c.var.store
  const file = await received(c.req.raw.body, { organisationId, name: `The file.${extension}` })
  try {
    const key = c.req.valid('header')['Idempotency-Key']
    const asked = JSON.stringify([c.req.method, c.req.path, collection, file.digest])
    const request = key === undefined || dry ? undefined : { key, body: asked }
    const before = request && (await c.var.records.answeredBefore(collection, request))
    if (before !== undefined) return answered(before)
    const outcome = await importFile(file, target, c.var.records.destination, { dry, mostRecords })
    const answer = JSON.stringify(reportOf(outcome, c.var.store))
    const isKept = outcome.faults.length === 0
    return answered(
      request && isKept ? await c.var.records.answer(collection, request, answer) : answer,
    )
  } catch (error) {
    throw error instanceof Interrupted ? interruption(c, error) : error
  } finally {
    file.letGo()
  }
}

/** What the records of the file become; throws 403 without the right to write and sight of what a file would replace, and 400 where people have no schema yet. */
async function targetFor({ var: { store } }: Context<Env>, collection: string): Promise<Target> {
  const kind = isKind(collection) ? collection : undefined
  const { schema } = await store.before({ collection, ids: [], kind, rights: ['write'] })
  demandWhole(store.view)
  const kept: Schema | undefined = schema === undefined ? undefined : JSON.parse(schema)
  const schemas = kind && kept ? { [kind]: kept } : {}
  const target = await targetOf(collection, store.organisationId, schemas)
  if (target) return target
  throw new ApiError('BAD_REQUEST', `collection: there is no schema of ${collection} yet.`)
}

const extensions: Record<string, string> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
}

/** The extension of a file of this media type; throws 415 where it is none that is taken. */
function extensionOf(contentType: string): string {
  const [type = '', ...parameters] = contentType.toLowerCase().split(/\s*;\s*/)
  const isUtf8 = parameters.every((it) => !it.startsWith('charset=') || /=("?)utf-8\1$/.test(it))
  const extension = Object.hasOwn(extensions, type.trim()) && extensions[type.trim()]
  if (isUtf8 && extension) return extension
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send the file as ${Object.keys(extensions).join(', ')} in UTF-8.`,
  )
}

const reportOf = ({ counts, faulty, faults }: Outcome, store: Store) => ({
  ...shownCounts(counts, store),
  ...{ faulty, faults },
})

const answered = (body: string) =>
  new Response(body, { headers: { 'Content-Type': 'application/json' } })

/** What to answer when records of a file are kept and others are not. */
function interruption(c: Context<Env>, { message, cause }: Interrupted): unknown {
  if (!(cause instanceof Error) || cause instanceof ApiError || !isOutOfReach(cause)) return cause
  logError(cause, c.var.requestId)
  return new ApiError('UNAVAILABLE', message, { 'Retry-After': '1' })
}

export const routes = new Hono<Env>().post('/', endpoint(contract), handler)
