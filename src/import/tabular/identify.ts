import { createHash } from 'node:crypto'
import { references } from '../../model/references.ts'
import type { Values } from '../../model/schema.ts'
import { folded } from '../spellings/folded.ts'
import type { Converted } from './converter.ts'
import type { Destination } from './destination.ts'
import type { Mapping } from './mapping.ts'
import { repeatsLine, repeatsRecord, restColumns } from './rest.ts'
import { keyText } from './survey.ts'

/** A row with the id of its record, or '' where it has none, and the stored record, if there is one, as JSON text. */
export type Identified = Converted & { id: string; document: string | undefined }

/** A stored person. */
type Person = { id: string; document: string }

/** The stored records of a chunk's rows: by their ids, and people by the values that match. */
type Stored = {
  documents: ReadonlyMap<string, string>
  people: ReadonlyMap<string, readonly Person[]>
}

/**
 * Finds the record of each row of a table: the one a person chose, the one with its id, or the person whom
 * `match` finds. The result is the same whether earlier rows are written already or not, so that a check and
 * an import agree.
 */
export class Identities {
  readonly #to: Destination
  readonly #mapping: Mapping
  /** The lines of the records so far, by id. */
  readonly #lines = new Map<string, number>()
  /** The people so far by the values that match, before their change and after it. */
  readonly #people = new Map<string, Set<string>>()

  constructor(to: Destination, mapping: Mapping) {
    this.#to = to
    this.#mapping = mapping
  }

  /** Reads the records of some rows, and returns what identifies these, to be called in their order. */
  async reader(rows: readonly Converted[]): Promise<(row: Converted) => Identified> {
    const { collection } = this.#mapping
    const ids = rows.flatMap((row) => [this.#ownId(row), isId(row.chosen) ? row.chosen : ''])
    const documents = await this.#to.documents(collection, [...new Set(ids.filter(Boolean))])
    const open = rows.filter((row) => this.#isOpen(row, documents))
    const stored = { documents, people: await this.#alike(open) }
    return (row) => this.#identify(row, stored)
  }

  /** Notes the person of a row by the values that match, before and after the change. */
  note(id: string, ...versions: (Values | undefined)[]): void {
    const { match: fields } = this.#mapping
    if (fields.length === 0) return
    for (const values of versions) {
      if (!values) continue
      const key = keyOf(fields, (field) => values[field])
      this.#people.set(key, (this.#people.get(key) ?? new Set()).add(id))
    }
  }

  #identify(row: Converted, stored: Stored): Identified {
    const column = this.#mapping.id.columns.join(' + ')
    const value = row.key.join(' ')
    const found = this.#found(row, stored)
    const { id, document } = found
    const refused = (fault: { column: string; reason: string; value: string }): Identified => {
      row.faults.push(fault)
      return { ...row, id: '', document: undefined }
    }
    if (id === '') {
      const reason = 'has no value, and a record needs an id.'
      return row.faults.length > 0 ? { ...row, ...found } : refused({ column, reason, value: '' })
    }
    const earlier = this.#lines.get(id)
    if (earlier !== undefined) {
      return refused({ column, reason: repeatsLine, value: `${value} (as in line ${earlier})` })
    }
    this.#lines.set(id, row.row.line)
    if (document === undefined && isId(row.chosen)) {
      const reason = `is the id of none of the ${this.#mapping.collection}.`
      return refused({ column: restColumns.record, reason, value: row.chosen })
    }
    const isUndecided = row.wasRepeat ? !isId(row.chosen) : isNew(row.chosen)
    if (document !== undefined && isUndecided) {
      return refused({ column, reason: repeatsRecord, value })
    }
    return { ...row, ...found }
  }

  /** The id of a row's record; '' with a fault where several people match. */
  #found(row: Converted, { documents, people }: Stored): Pick<Identified, 'id' | 'document'> {
    if (isId(row.chosen)) return { id: row.chosen, document: documents.get(row.chosen) }
    const id = this.#ownId(row)
    const own = { id, document: documents.get(id) }
    if (!this.#isOpen(row, documents)) return own
    const { match: fields } = this.#mapping
    const key = keyOf(fields, (field) => row.given.get(field))
    const known = people.get(key) ?? []
    const ids = new Set([...known.map((person) => person.id), ...(this.#people.get(key) ?? [])])
    if (ids.size > 1) {
      const reason = 'is that of several people who are kept already.'
      const value = textOf(row.given.get(fields[0] ?? ''))
      row.faults.push({ column: fields.join(' + '), reason, value })
      return { id: '', document: undefined }
    }
    const [matched] = ids
    if (matched === undefined) return own
    return { id: matched, document: known.find((person) => person.id === matched)?.document }
  }

  /** Whether a person is to be looked for by the values that match. */
  #isOpen(row: Converted, documents: ReadonlyMap<string, string>): boolean {
    const { match: fields } = this.#mapping
    const id = this.#ownId(row)
    return (
      fields.length > 0 &&
      row.chosen === '' &&
      !documents.has(id) &&
      !this.#lines.has(id) &&
      fields.every((field) => textOf(row.given.get(field)) !== '')
    )
  }

  /** The people who have the same values as these rows in all fields that match, but for how they are spelt. */
  async #alike(rows: readonly Converted[]): Promise<Map<string, Person[]>> {
    const { collection, match: fields } = this.#mapping
    const [first = ''] = fields
    if (rows.length === 0) return new Map()
    const texts = rows.map(({ given }) => textOf(given.get(first)))
    const found = await this.#to.alike(collection, [first], texts)
    const documents = await this.#to.documents(collection, [...new Set([...found.values()].flat())])
    return Map.groupBy(
      [...documents].map(([id, document]) => ({ id, document })),
      ({ document }) => {
        const values: Values = JSON.parse(document)
        return keyOf(fields, (field) => values[field])
      },
    )
  }

  /** Returns the id in a row's columns, or makes one of them. */
  #ownId({ key }: Converted): string {
    const { collection, id, same } = this.#mapping
    if (!id.isMade) return key.join(' ')
    const texts = key.map(keyText)
    if (texts.every((text) => text === '')) return ''
    // A hash: an id appears in logs, and must show no address.
    const named = namingPaths(collection).flatMap((path) => same[path] ?? [])
    const made = JSON.stringify([this.#to.organisationId, collection, ...named, ...texts])
    return createHash('sha256').update(made).digest('hex').slice(0, 24)
  }
}

/** The properties that name another record. An occurrence tells bookings of one series from each other. */
const namingPaths = (collection: string) =>
  new Set([
    ...references.filter(({ from }) => from === collection).map(({ path }) => path),
    ...(collection === 'bookings' ? ['childEventId'] : []),
  ])
    .values()
    .toArray()

const isNew = (chosen: string) => chosen.toLowerCase() === 'new'

const isId = (chosen: string) => chosen !== '' && !isNew(chosen)

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const keyOf = (fields: readonly string[], get: (field: string) => unknown) =>
  JSON.stringify(fields.map((field) => folded(textOf(get(field)))))
