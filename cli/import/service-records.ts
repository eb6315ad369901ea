import type { RecordDestination } from '../../src/import/destination/destination.ts'
import { foldText } from '../../src/import/parse/text.ts'
import { readLines } from '../../src/import/rows/json-lines.ts'
import type { ImportTarget } from '../../src/import/targets/target.ts'
import { parseSurveyForm, type SurveyForm } from '../../src/model/forms/survey-form.ts'
import { isSameJson, valueAt } from '../../src/model/json.ts'
import { derivedFieldIds } from '../../src/model/properties/area-fields.ts'
import {
  isInternalKey,
  isKind,
  type Kind,
  kindNames,
  kinds,
  type Schema,
  type Values,
} from '../../src/model/properties/schema.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { resources } from '../../src/resources/resources.ts'
import { CommandError } from '../terminal/report.ts'
import { requestService, type ServiceConnection } from './service.ts'
import { sendPart } from './upload-files.ts'

type Schemas = Partial<Record<Kind, Schema>>

/** Collections with lists that omit properties of single records. */
const abbreviatedCollections = ['forms', 'funds', 'grant-applications']

/** The records that a key may read from a service, for an inferred file. */
export class ServiceRecords {
  readonly #file: string
  readonly #service: ServiceConnection
  /** The requested records by collection, as JSON lines by id. */
  readonly #recordsByCollection = new Map<string, Promise<ReadonlyMap<string, string>>>()
  readonly #indexes = new Map<string, Promise<ReadonlyMap<string, string[]>>>()

  constructor(file: string, service: ServiceConnection) {
    this.#file = file
    this.#service = service
  }

  async schemas(): Promise<Schemas> {
    const entries = await Promise.all(
      kindNames.map(async (kind) => {
        const path = `schemas/${encodeURIComponent(this.#service.organisationId)}`
        const answer = await this.#request(path, { kind }, true)
        if (answer.status === 404) return []
        const schema = parseSchema(kind, await answer.json())
        if (!schema.success)
          throw new CommandError(`${this.#file}: the schema of ${kind} is unknown here.`)
        return [[kind, schema.data] as const]
      }),
    )
    return Object.fromEntries(entries.flat())
  }

  async forms(): Promise<SurveyForm[]> {
    const ids = [...(await this.#readAll('forms')).keys()]
    const forms: SurveyForm[] = []
    for (const id of ids)
      forms.push(parseSurveyForm(JSON.stringify(await this.#readSingle('forms', id))))
    return forms
  }

  /** The destination for a table with records of this target. */
  destination(target: ImportTarget, schemas: Schemas): RecordDestination {
    const { collection } = target
    const derived = isKind(collection)
      ? derivedFieldIds(schemas[collection]?.fields ?? [])
      : new Set()
    const isInput = ([key]: [string, unknown]) => !isInternalKey(key) && !derived.has(key)
    // The service's records for rows that are still to be sent.
    const served = new Map<string, string>()
    return {
      organisationId: this.#service.organisationId,
      readDocuments: async (requested, ids) => {
        const records = await this.#readAll(requested)
        const documents = new Map<string, string>()
        for (const id of ids) {
          const line = records.get(id)
          if (line === undefined) continue
          const record = abbreviatedCollections.includes(requested)
            ? await this.#readSingle(requested, id)
            : JSON.parse(line)
          // Formats the document like the local import, so that unchanged values show no
          // difference.
          const result = requested === collection ? target.check(record) : undefined
          const document =
            result && 'value' in result
              ? result.value.document
              : JSON.stringify(flattenFields(record))
          documents.set(id, document)
          if (requested === collection) served.set(id, document)
        }
        return documents
      },
      findOwners: async (requested, values) => {
        const owners = await Promise.all(
          values.map(async ({ field, value }) => {
            const ids = (await this.#idsByText(requested, field, String)).get(value) ?? []
            return ids.map((id) => ({ id, field, value }))
          }),
        )
        return owners.flat()
      },
      findSimilar: async (requested, fields, texts) => {
        const idsByText = new Map<string, string[]>()
        for (const field of fields) {
          const holders = await this.#idsByText(requested, field, foldText)
          for (const text of new Set(texts.map(foldText))) {
            const ids = [...(idsByText.get(text) ?? []), ...(holders.get(text) ?? [])]
            if (ids.length > 0) idsByText.set(text, [...new Set(ids)])
          }
        }
        return idsByText
      },
      addDerived: async (_, records) => [...records],
      write: async (_, records) => {
        const lines = records.map(({ id, document }) => {
          const changed = diffProperties(JSON.parse(document), JSON.parse(served.get(id) ?? '{}'))
          const input = Object.fromEntries(Object.entries(changed).filter(isInput))
          served.delete(id)
          return `${JSON.stringify({ ...input, [target.id]: id })}\n`
        })
        const part = { collection, dry: false, type: 'application/x-ndjson' }
        const { errors } = await sendPart(this.#file, new Blob(lines), part, this.#service)
        const [error] = errors
        if (!error) return { changed: [], taken: [] }
        throw new CommandError(
          `${this.#file}: ${this.#service.address.host} refused a part of it: ${error.field} ${error.message}`,
        )
      },
      // The service itself fills people and records the import.
      fillPeople: async () => {},
      finishImport: async () => {},
    }
  }

  #request(path: string, query: Record<string, string>, mayBeMissing = false): Promise<Response> {
    return requestService(this.#file, this.#service, { path, query, mayBeMissing })
  }

  async #readSingle(collection: string, id: string): Promise<Values> {
    const resource = (await resources[collection]?.())?.collection
    const answer = await this.#request(`${collection}/${encodeURIComponent(id)}`, {})
    const body: Record<string, Values> = await answer.json()
    return body[resource?.singular ?? ''] ?? {}
  }

  #readAll(collection: string): Promise<ReadonlyMap<string, string>> {
    const loading = this.#recordsByCollection.get(collection) ?? this.#download(collection)
    this.#recordsByCollection.set(collection, loading)
    return loading
  }

  async #download(collection: string): Promise<ReadonlyMap<string, string>> {
    const id = isKind(collection)
      ? kinds[collection].id
      : (await resources[collection]?.())?.collection?.id
    const answer = await this.#request(collection, { $format: 'ndjson' })
    const records = new Map<string, string>()
    for await (const { text } of readLines(readText(answer))) {
      if (text.trim() === '') continue
      const { schemaInfo: _, ...record } = JSON.parse(text)
      records.set(String(record[id ?? '']), JSON.stringify(record))
    }
    return records
  }

  /** A collection's record ids by the text of a field. */
  #idsByText(
    collection: string,
    field: string,
    normalise: (text: string) => string,
  ): Promise<ReadonlyMap<string, string[]>> {
    const key = JSON.stringify([collection, field, normalise === foldText])
    const cached = this.#indexes.get(key) ?? this.#buildIndex(collection, field, normalise)
    this.#indexes.set(key, cached)
    return cached
  }

  async #buildIndex(collection: string, field: string, normalise: (text: string) => string) {
    const ids = new Map<string, string[]>()
    for (const [id, line] of await this.#readAll(collection)) {
      const record: Values = JSON.parse(line)
      const value = isKind(collection)
        ? flattenFields(record)[field]
        : valueAt(record, field.split('.'))
      if (typeof value !== 'string') continue
      ids.set(normalise(value), [...(ids.get(normalise(value)) ?? []), id])
    }
    return ids
  }
}

/** The properties that differ, with null for removed ones. */
function diffProperties(record: Values, before: Values): Values {
  const names = [...new Set([...Object.keys(record), ...Object.keys(before)])]
  const differing = names.filter((name) => !isSameJson(record[name], before[name]))
  return Object.fromEntries(differing.map((name) => [name, record[name] ?? null]))
}

/** A record from the service with people's fields as properties. */
function flattenFields({ fields, ...record }: Values): Values {
  if (!Array.isArray(fields)) return fields === undefined ? record : { ...record, fields }
  return { ...record, ...Object.fromEntries(fields.map(({ key, value }) => [key, value])) }
}

async function* readText({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  for await (const chunk of body ?? []) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
