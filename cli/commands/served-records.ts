import { derivedFieldIds } from '../../src/geography/enrichment.ts'
import { linesOf } from '../../src/import/lines.ts'
import { folded } from '../../src/import/spellings/folded.ts'
import { type AskedForm, askedForm } from '../../src/import/tabular/asked-forms.ts'
import type { Destination } from '../../src/import/tabular/destination.ts'
import type { Target } from '../../src/import/target.ts'
import { isHidden } from '../../src/model/hidden-keys.ts'
import { sameJson } from '../../src/model/same-json.ts'
import {
  isKind,
  type Kind,
  kindNames,
  kinds,
  type Schema,
  type Values,
} from '../../src/model/schema.ts'
import { valueAt } from '../../src/model/value-at.ts'
import { parseSchema } from '../../src/records/schema.ts'
import { resources } from '../../src/resources/resources.ts'
import { Refusal } from '../terminal/refusal.ts'
import { asked, type Reached } from './service.ts'
import { send } from './upload-files.ts'

type Schemas = Partial<Record<Kind, Schema>>

/** Collections whose lists leave out properties that single records have. */
const shortened = ['forms', 'funds', 'grant-applications']

/** The records of an organisation as a service gives them to a key, for a file that is imported as it comes. */
export class ServedRecords {
  readonly #file: string
  readonly #to: Reached
  /** The records of each collection that was asked about, as lines of JSON by id. */
  readonly #pulled = new Map<string, Promise<ReadonlyMap<string, string>>>()
  readonly #byText = new Map<string, Promise<ReadonlyMap<string, string[]>>>()

  constructor(file: string, to: Reached) {
    this.#file = file
    this.#to = to
  }

  async schemas(): Promise<Schemas> {
    const found = await Promise.all(
      kindNames.map(async (kind) => {
        const path = `schemas/${encodeURIComponent(this.#to.organisationId)}`
        const answer = await this.#ask(path, { kind }, true)
        if (answer.status === 404) return []
        const schema = parseSchema(kind, await answer.json())
        if (!schema.success)
          throw new Refusal(`${this.#file}: the schema of ${kind} is unknown here.`)
        return [[kind, schema.data] as const]
      }),
    )
    return Object.fromEntries(found.flat())
  }

  async forms(): Promise<AskedForm[]> {
    const ids = [...(await this.#records('forms')).keys()]
    const forms: AskedForm[] = []
    for (const id of ids) forms.push(askedForm(JSON.stringify(await this.#single('forms', id))))
    return forms
  }

  /** The destination of a table whose rows become records of this target. */
  destination(target: Target, schemas: Schemas): Destination {
    const { collection } = target
    const derived = isKind(collection)
      ? derivedFieldIds(schemas[collection]?.fields ?? [])
      : new Set()
    const isGiven = ([key]: [string, unknown]) => !isHidden(key) && !derived.has(key)
    // What the service has of the rows that are not sent yet.
    const served = new Map<string, string>()
    return {
      organisationId: this.#to.organisationId,
      documents: async (asked, ids) => {
        const records = await this.#records(asked)
        const found = new Map<string, string>()
        for (const id of ids) {
          const line = records.get(id)
          if (line === undefined) continue
          const shown = shortened.includes(asked) ? await this.#single(asked, id) : JSON.parse(line)
          // As it would be kept here, so that what a row leaves as it is makes no difference.
          const kept = asked === collection ? target.check(shown) : undefined
          const document =
            kept && 'kept' in kept ? kept.kept.document : JSON.stringify(valuesOf(shown))
          found.set(id, document)
          if (asked === collection) served.set(id, document)
        }
        return found
      },
      owners: async (asked, values) => {
        const owners = await Promise.all(
          values.map(async ({ field, value }) => {
            const ids = (await this.#holders(asked, field, String)).get(value) ?? []
            return ids.map((id) => ({ id, field, value }))
          }),
        )
        return owners.flat()
      },
      alike: async (asked, fields, texts) => {
        const found = new Map<string, string[]>()
        for (const field of fields) {
          const holders = await this.#holders(asked, field, folded)
          for (const text of new Set(texts.map(folded))) {
            const ids = [...(found.get(text) ?? []), ...(holders.get(text) ?? [])]
            if (ids.length > 0) found.set(text, [...new Set(ids)])
          }
        }
        return found
      },
      completed: async (_, written) => [...written],
      keep: async (_, written) => {
        const lines = written.map(({ id, document }) => {
          const changed = changedProperties(
            JSON.parse(document),
            JSON.parse(served.get(id) ?? '{}'),
          )
          const given = Object.fromEntries(Object.entries(changed).filter(isGiven))
          served.delete(id)
          return `${JSON.stringify({ ...given, [target.id]: id })}\n`
        })
        const how = { collection, dry: false, type: 'application/x-ndjson' }
        const { faults } = await send(this.#file, new Blob(lines), how, this.#to)
        const [fault] = faults
        if (!fault) return
        throw new Refusal(
          `${this.#file}: ${this.#to.address.host} refused a part of it: ${fault.field} ${fault.reason}`,
        )
      },
      // The service notes what it is sent.
      noteImport: async () => {},
    }
  }

  #ask(path: string, query: Record<string, string>, mayBeMissing = false): Promise<Response> {
    return asked(this.#file, this.#to, { path, query, mayBeMissing })
  }

  async #single(collection: string, id: string): Promise<Values> {
    const found = (await resources[collection]?.())?.collection
    const answer = await this.#ask(`${collection}/${encodeURIComponent(id)}`, {})
    const body: Record<string, Values> = await answer.json()
    return body[found?.singular ?? ''] ?? {}
  }

  #records(collection: string): Promise<ReadonlyMap<string, string>> {
    const pulled = this.#pulled.get(collection) ?? this.#pull(collection)
    this.#pulled.set(collection, pulled)
    return pulled
  }

  async #pull(collection: string): Promise<ReadonlyMap<string, string>> {
    const id = isKind(collection)
      ? kinds[collection].id
      : (await resources[collection]?.())?.collection?.id
    const answer = await this.#ask(collection, { $format: 'ndjson' })
    const records = new Map<string, string>()
    for await (const { text } of linesOf(textOf(answer))) {
      if (text.trim() === '') continue
      const { schemaInfo: _, ...record } = JSON.parse(text)
      records.set(String(record[id ?? '']), JSON.stringify(record))
    }
    return records
  }

  /** The ids of the records of a collection by the text that they have in a field. */
  #holders(
    collection: string,
    field: string,
    spelt: (text: string) => string,
  ): Promise<ReadonlyMap<string, string[]>> {
    const key = JSON.stringify([collection, field, spelt === folded])
    const known = this.#byText.get(key) ?? this.#index(collection, field, spelt)
    this.#byText.set(key, known)
    return known
  }

  async #index(collection: string, field: string, spelt: (text: string) => string) {
    const ids = new Map<string, string[]>()
    for (const [id, line] of await this.#records(collection)) {
      const shown: Values = JSON.parse(line)
      const value = isKind(collection) ? valuesOf(shown)[field] : valueAt(shown, field.split('.'))
      if (typeof value !== 'string') continue
      ids.set(spelt(value), [...(ids.get(spelt(value)) ?? []), id])
    }
    return ids
  }
}

/** The properties of a record that differ from those before; null for what it has no more. */
function changedProperties(record: Values, before: Values): Values {
  const names = [...new Set([...Object.keys(record), ...Object.keys(before)])]
  const differing = names.filter((name) => !sameJson(record[name], before[name]))
  return Object.fromEntries(differing.map((name) => [name, record[name] ?? null]))
}

/** A record as a service shows it, with people's fields by their ids. */
function valuesOf({ fields, ...record }: Values): Values {
  if (!Array.isArray(fields)) return fields === undefined ? record : { ...record, fields }
  return { ...record, ...Object.fromEntries(fields.map(({ key, value }) => [key, value])) }
}

async function* textOf({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  for await (const chunk of body ?? []) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
