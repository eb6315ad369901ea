import type { Context } from 'hono'
import * as z from 'zod'
import type { Env } from '../../auth/env.ts'
import { route } from '../../auth/route.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { Hono } from '../../http/hono.ts'
import { idempotencyHeaders } from '../../http/idempotency-key.ts'
import { booleanOption, oneOf, required } from '../../http/parameters.ts'
import { closedQuery } from '../../http/query.ts'
import { ApiError, invalidField } from '../../model/api-error.ts'
import { collectionNames } from '../../model/collection.ts'
import { isKind, type Schema } from '../../model/properties/schema.ts'
import { errorCodes, messages } from '../../model/validation-error.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { isUnavailable } from '../../platform/outage.ts'
import { readStoredResponse, saveResponse } from '../../records/stored-responses.ts'
import { countsType, shownCounts } from '../../resources/routes/counts.ts'
import { RunningImport } from '../../store/imports/running-import.ts'
import type { Store } from '../../store/store.ts'
import { readBeforeWrite } from '../../store/write/before-write.ts'
import { createDestination, requireWholeRecords } from '../destination/destination.ts'
import { importRecords } from '../import-records.ts'
import { limitNewPeople } from '../people-limit.ts'
import { type ImportResult, withoutValues } from '../report/import-result.ts'
import { ImportInterruptedError } from '../source/source.ts'
import { receiveUpload } from '../source/upload.ts'
import { maxRecords } from '../source/upload-limits.ts'
import { loadTarget } from '../targets/load-target.ts'
import { findOpenSchema } from '../targets/open-schema.ts'
import type { ImportTarget } from '../targets/target.ts'
import { getImportRoute, listImportsRoute, undoImportRoute } from './stored-imports.ts'

const recordInput = z.record(z.string(), z.unknown())

const importUpload = route(
  {
    operationId: 'importRecords',
    summary: 'Import a file of records',
    description: `Imports a file with records of one collection: at most 50 MiB and ${formatNumber(maxRecords)} records, in the format of a list or as docs/importing.md describes. With any error, nothing is written and the response lists the errors. Otherwise each record is created, or merged into the record with its id: absent properties and columns stay unchanged, an empty cell or null clears a value, and a list is replaced as a whole. Referenced records need not exist yet. After an interruption, send the file again. Needs the \`write\` permission.`,
    isAddition: true,
    query: closedQuery({
      collection: required(
        oneOf(collectionNames, {
          description: 'The collection of the records in the file.',
          example: 'events',
        }),
        messages.oneOf(collectionNames),
      ),
      $dryRun: booleanOption('Whether to validate and count without writing.'),
    }),
    headers: idempotencyHeaders,
    file: {
      'text/csv': z.string().meta({ examples: ['eventId,name\r\nopen-day,Open day\r\n'] }),
      'application/x-ndjson': z
        .string()
        .meta({ examples: ['{"eventId":"open-day","name":"Open day"}\n'] }),
      'application/json': z
        .union([z.array(recordInput), recordInput])
        .meta({ examples: [[{ eventId: 'open-day', name: 'Open day' }]] }),
    },
    responses: () => ({
      200: countsType({
        rejected: z
          .int()
          .meta({ description: 'How many records of the file have a fault.', examples: [0] }),
        errors: z
          .array(
            z
              .strictObject({
                field: z.string().meta({
                  description: 'The field, or empty for a whole record.',
                  examples: ['start'],
                }),
                message: z.string().meta({
                  description:
                    'The error and the allowed values; never contains a value of the file.',
                  examples: [messages.time],
                }),
                code: z.enum(errorCodes).meta({
                  description: 'The error for programs.',
                  examples: ['invalid_format'],
                }),
                count: z
                  .int()
                  .meta({ description: 'How many such errors there are.', examples: [3] }),
                lines: z
                  .array(z.int())
                  .max(3)
                  .meta({
                    description:
                      'The first lines of the file with it; none where the whole file is at fault.',
                    examples: [[2, 7, 31]],
                  }),
              })
              .meta({ id: 'ImportError' }),
          )
          .meta({
            description: 'The errors by field and message; empty if everything was imported.',
          }),
      }).meta({ id: 'Imported' }),
      403: ErrorBody,
      413: ErrorBody,
      415: ErrorBody,
      422: ErrorBody,
    }),
  },
  async (c) => {
    const { collection, $dryRun: dry } = c.req.valid('query')
    const target = await resolveTarget(c, collection)
    const extension = parseExtension(c.req.header('Content-Type') ?? '')
    const { organisationId } = c.var.store
    const file = await receiveUpload(c.req.raw.body, {
      organisationId,
      name: `The file.${extension}`,
    })
    try {
      const key = c.req.valid('header')['Idempotency-Key']
      const fingerprint = JSON.stringify([c.req.method, c.req.path, collection, file.digest])
      const request = key === undefined || dry ? undefined : { key, body: fingerprint }
      const storedAnswer = request && (await readStoredResponse(c.var.store, collection, request))
      if (storedAnswer !== undefined) return respond(storedAnswer)
      const records = await c.var.openRecords()
      const run = new RunningImport(c.var.store, { collection, through: 'import' })
      const destination = createDestination(records.destination, collection, run)
      const checkNew = isKind(collection) ? limitNewPeople(c.env, c.var.store) : undefined
      const result = await importRecords(file, target, destination, { dry, maxRecords, checkNew })
      const answer = JSON.stringify(toReport(result, c.var.store))
      const isImported = result.errors.length === 0
      return respond(
        request && isImported
          ? await saveResponse(c.var.store, collection, request, answer)
          : answer,
      )
    } catch (error) {
      throw error instanceof ImportInterruptedError ? toInterruptionError(error) : error
    } finally {
      file.release()
    }
  },
)

/** The target for a collection. Throws 403 without the `write` permission or if a file would replace hidden values, and 400 if people have no schema yet. */
async function resolveTarget(
  { var: { store } }: Context<Env>,
  collection: string,
): Promise<ImportTarget> {
  const kind = findOpenSchema(collection, {})?.kind
  const { schema } = await readBeforeWrite(store, {
    collection,
    ids: [],
    kind,
    permissions: ['write'],
  })
  requireWholeRecords(store.policy)
  const storedSchema: Schema | undefined = schema === undefined ? undefined : JSON.parse(schema)
  const schemas = kind && storedSchema ? { [kind]: storedSchema } : {}
  const target = await loadTarget(collection, store.organisationId, schemas)
  if (target) return target
  throw invalidField('collection', 'not_found', `there is no schema of ${collection} yet.`)
}

const extensions: Record<string, string> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
}

/** The file extension for a media type. Throws 415 if the type is unsupported. */
function parseExtension(contentType: string): string {
  const [type = '', ...parameters] = contentType.toLowerCase().split(/\s*;\s*/)
  const isUtf8 = parameters.every(
    (parameter) => !parameter.startsWith('charset=') || /=("?)utf-8\1$/.test(parameter),
  )
  const extension = Object.hasOwn(extensions, type.trim()) && extensions[type.trim()]
  if (isUtf8 && extension) return extension
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send the file as ${Object.keys(extensions).join(', ')} in UTF-8.`,
  )
}

const toReport = (result: ImportResult, store: Store) => {
  const { created, updated, unchanged, rejected, errors } = result
  return {
    ...shownCounts({ created, updated, unchanged }, store),
    rejected,
    errors: withoutValues(errors),
  }
}

const respond = (body: string) =>
  new Response(body, { headers: { 'Content-Type': 'application/json' } })

/** The error for a partly written file: 503 if the database was unavailable, otherwise the cause. */
function toInterruptionError({ message, cause }: ImportInterruptedError): unknown {
  if (!(cause instanceof Error) || cause instanceof ApiError || !isUnavailable(cause)) return cause
  const error = new ApiError('UNAVAILABLE', message, { 'Retry-After': '1' })
  error.cause = cause
  return error
}

export const routes = new Hono<Env>()
  .get('/', listImportsRoute)
  .post('/', importUpload)
  .get('/:importId', getImportRoute)
  .post('/:importId/$undo', undoImportRoute)
