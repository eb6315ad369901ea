import { createHash } from 'node:crypto'
import type { Values } from '../../model/properties/schema.ts'
import { references } from '../../model/references.ts'
import type { RecordDestination } from '../destination/destination.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { foldText, normaliseKey } from '../parse/text.ts'
import {
  duplicateLineReason,
  duplicateRecordReason,
  rejectionColumns,
} from '../rows/rejected-rows.ts'
import { parentOf } from '../targets/parents.ts'
import type { ConvertedRow } from './convert-row.ts'
import type { CellError } from './import-row.ts'
import { createRowNamer } from './row-name.ts'
import type { SheetEvents } from './sheet-events.ts'
import type { TableRules } from './table-rules.ts'

/** A row with the id of its record ('' without one) and its stored record as JSON text, if it exists. */
export type IdentifiedRow = ConvertedRow & { id: string; document: string | undefined }

type RowRecord = Pick<IdentifiedRow, 'id' | 'document'>

type NamedRow = { line: number; name: string }

/** Why a row has its record: the headings of its id or of its matching details, and their text. */
type Reason = { headings: readonly string[]; value: string; isId: boolean }

/** A row with the record of an earlier row, here or in the file that rejected it, and why it has it. */
export type RepeatedRow = NamedRow & Reason & { other: NamedRow | { id: string; name: string } }

/** A row with the details of several people: stored ones, or those of earlier rows. `people` are the first of them. */
export type AmbiguousRow = NamedRow &
  Reason & { people: readonly RepeatedRow['other'][]; total: number }

/** The number of people whom a question offers: more with the same details are no choice. */
const maxOffered = 10

/** The error for a row with the details of several people, until somebody decides. */
export const ambiguousReason = 'is that of several stored people.'

type Person = { id: string; document: string }

/** The stored records for a chunk's rows: documents by id, and people by match key. */
type Stored = {
  documents: ReadonlyMap<string, string>
  /** The bookings of people in a sheet of ticks, by the id of their row. */
  bookings: ReadonlyMap<string, RowRecord>
  people: ReadonlyMap<string, readonly Person[]>
}

/**
 * Finds the record of each row of a table: the record a person chose, the record with the row's id,
 * or the person with the same `match` fields. The result does not depend on whether earlier rows
 * are already written, so a dry run and an import agree.
 */
export class RecordMatcher {
  readonly #destination: RecordDestination
  readonly #mapping: Mapping
  readonly #sheetEvents: Pick<SheetEvents, 'findBooking'> | undefined
  readonly #nameOf: (values: ReadonlyMap<string, unknown>) => string
  /** The first row of each record so far, by id. */
  readonly #rows = new Map<string, NamedRow>()
  readonly #repeated: RepeatedRow[] = []
  readonly #ambiguous: AmbiguousRow[] = []
  /** The ids of the people so far, by match key before and after their change. */
  readonly #people = new Map<string, Set<string>>()

  constructor(
    destination: RecordDestination,
    { mapping, targetFields }: Pick<TableRules, 'mapping' | 'targetFields'>,
    sheetEvents?: Pick<SheetEvents, 'findBooking'>,
  ) {
    this.#sheetEvents = sheetEvents
    this.#destination = destination
    this.#mapping = mapping
    this.#nameOf = createRowNamer(targetFields)
  }

  /** The rows that need a person's answer: those with the record of an earlier row. */
  get repeated(): readonly RepeatedRow[] {
    return this.#repeated
  }

  /** The rows that need a person's answer: those with the details of several people. */
  get ambiguous(): readonly AmbiguousRow[] {
    return this.#ambiguous
  }

  /** Reads the stored records for some rows. Returns a function that identifies one row; call it in the order of the rows. */
  async prepare(rows: readonly ConvertedRow[]): Promise<(row: ConvertedRow) => IdentifiedRow> {
    const { collection } = this.#mapping
    const ids = rows.flatMap((row) => [
      this.#rowId(row),
      isChosenId(row.chosenRecord) ? row.chosenRecord : '',
      isNew(row.chosenRecord) ? this.#wholeRowId(row) : '',
    ])
    const documents = await this.#destination.readDocuments(collection, [
      ...new Set(ids.filter(Boolean)),
    ])
    const bookings = await this.#findBookings(rows, documents)
    const unmatched = rows.filter((row) => this.#needsMatch(row, documents))
    const stored = { documents, bookings, people: await this.#findSimilarPeople(unmatched) }
    return (row) => this.#identifyRow(row, stored)
  }

  /** Adds the person of a row by match key, before and after the change. */
  notePerson(id: string, ...versions: (Values | undefined)[]): void {
    const { match: fields } = this.#mapping
    if (fields.length === 0) return
    for (const values of versions) {
      if (!values) continue
      const key = matchKey(fields, (field) => values[field])
      this.#people.set(key, (this.#people.get(key) ?? new Set()).add(id))
    }
  }

  #identifyRow(row: ConvertedRow, stored: Stored): IdentifiedRow {
    const match = this.#asNewPerson(row, this.#findRecord(row, stored), stored)
    const { id, document } = match
    const reason = this.#explainRecord(row, id)
    const { value } = reason
    const column = reason.headings.join(' + ')
    const reject = (error: CellError): IdentifiedRow => {
      row.errors.push(error)
      return { ...row, id: '', document: undefined }
    }
    if (id === '') {
      const message = 'has no value, and a record needs an id.'
      return row.errors.length > 0
        ? { ...row, ...match }
        : reject({ column, message, code: 'required', value: '' })
    }
    const earlier = this.#rows.get(id)
    const named = { line: row.line, name: this.#nameOf(row.values) }
    if (earlier) {
      this.#repeated.push({ ...named, ...reason, other: earlier })
      return reject({
        column,
        message: duplicateLineReason,
        code: 'duplicate',
        value: `${value} (as in line ${earlier.line})`,
      })
    }
    this.#rows.set(id, named)
    if (document === undefined && isChosenId(row.chosenRecord)) {
      const message = `names none of the ${this.#mapping.collection}: write “new”, or leave it empty and choose the record when you import the file.`
      return reject({
        column: rejectionColumns.record,
        message,
        code: 'not_found',
        value: row.chosenRecord,
      })
    }
    if (document !== undefined && row.wasDuplicate && row.chosenRecord === '') {
      const stored = new Map(Object.entries<unknown>(JSON.parse(document)))
      this.#repeated.push({ ...named, ...reason, other: { id, name: this.#nameOf(stored) } })
      return reject({ column, message: duplicateRecordReason, code: 'conflict', value })
    }
    return { ...row, ...match }
  }

  /**
   * Returns the record of a row that a person chose as new. If another record has its id, the new
   * one gets an id made of the whole row, and no values from the id columns.
   */
  #asNewPerson(row: ConvertedRow, match: RowRecord, { documents }: Stored): RowRecord {
    const { id } = match
    const isTaken = this.#rows.has(id) || match.document !== undefined
    if (!isNew(row.chosenRecord) || !isTaken) return match
    const idHeadings = this.#mapping.id.isMade ? [] : this.#mapping.id.columns
    for (const { heading, field } of this.#mapping.columns)
      if (field !== null && idHeadings.includes(heading)) row.values.delete(field)
    const wholeRowId = this.#wholeRowId(row)
    return { id: wholeRowId, document: documents.get(wholeRowId) }
  }

  /** Returns the id and document of a row's record. Adds an error and returns '' if several people match. */
  #findRecord(row: ConvertedRow, { documents, bookings, people }: Stored): RowRecord {
    if (isChosenId(row.chosenRecord))
      return { id: row.chosenRecord, document: documents.get(row.chosenRecord) }
    const id = this.#rowId(row)
    const booking = bookings.get(id)
    if (booking && !isNew(row.chosenRecord)) return booking
    const ownRecord = { id, document: documents.get(id) }
    if (!this.#needsMatch(row, documents)) return ownRecord
    const { match: fields } = this.#mapping
    const key = matchKey(fields, (field) => row.values.get(field))
    const storedPeople = people.get(key) ?? []
    const ids = new Set([
      ...storedPeople.map((person) => person.id),
      ...(this.#people.get(key) ?? []),
    ])
    if (ids.size > 1) {
      this.#ambiguous.push({
        line: row.line,
        name: this.#nameOf(row.values),
        ...this.#explainMatch(row),
        people: [...ids]
          .slice(0, maxOffered)
          .map((matched) => this.#describePerson(matched, storedPeople)),
        total: ids.size,
      })
      const value = toText(row.values.get(fields[0] ?? ''))
      const column = fields.join(' + ')
      row.errors.push({ column, message: ambiguousReason, code: 'ambiguous', value })
      return { id: '', document: undefined }
    }
    const [matched] = ids
    if (matched === undefined) return ownRecord
    return { id: matched, document: storedPeople.find((person) => person.id === matched)?.document }
  }

  /** Finds the bookings of the people in a sheet of ticks that have another id than their row. */
  async #findBookings(
    rows: readonly ConvertedRow[],
    documents: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, RowRecord>> {
    const sheetEvents = this.#sheetEvents
    if (!sheetEvents) return new Map()
    const found = rows.flatMap((row): [string, string][] => {
      const rowId = this.#rowId(row)
      const id = documents.has(rowId) ? undefined : sheetEvents.findBooking(row)
      return id === undefined ? [] : [[rowId, id]]
    })
    const stored = await this.#destination.readDocuments(
      this.#mapping.collection,
      found.map(([, id]) => id),
    )
    return new Map(found.map(([rowId, id]) => [rowId, { id, document: stored.get(id) }]))
  }

  #describePerson(id: string, stored: readonly Person[]): RepeatedRow['other'] {
    const person = stored.find((other) => other.id === id)
    const earlier = this.#rows.get(id)
    if (!person && earlier) return earlier
    const values: Values = JSON.parse(person?.document ?? '{}')
    return { id, name: this.#nameOf(new Map(Object.entries(values))) }
  }

  /** The details by which a row has its record. */
  #explainRecord(row: ConvertedRow, id: string): Reason {
    const { match, id: idColumns } = this.#mapping
    if (match.length === 0 || id === '' || id === this.#rowId(row))
      return { headings: idColumns.columns, value: row.key.join(' '), isId: !idColumns.isMade }
    return this.#explainMatch(row)
  }

  #explainMatch(row: ConvertedRow): Reason {
    const { match, columns } = this.#mapping
    return {
      headings: match.map((path) => columns.find(({ field }) => field === path)?.heading ?? path),
      value: match.map((path) => toText(row.values.get(path))).join(' '),
      isId: false,
    }
  }

  /** Whether to look up a person by the `match` fields. */
  #needsMatch(row: ConvertedRow, documents: ReadonlyMap<string, string>): boolean {
    const { match: fields } = this.#mapping
    const id = this.#rowId(row)
    return (
      fields.length > 0 &&
      row.chosenRecord === '' &&
      !documents.has(id) &&
      !this.#rows.has(id) &&
      fields.every((field) => toText(row.values.get(field)) !== '')
    )
  }

  /** The stored people who may match these rows, by match key. Ignores case, spaces and accents. */
  async #findSimilarPeople(rows: readonly ConvertedRow[]): Promise<Map<string, Person[]>> {
    const { collection, match: fields } = this.#mapping
    const [first = ''] = fields
    if (rows.length === 0) return new Map()
    const texts = rows.map(({ values }) => toText(values.get(first)))
    const similarIds = await this.#destination.findSimilar(collection, [first], texts)
    const documents = await this.#destination.readDocuments(collection, [
      ...new Set([...similarIds.values()].flat()),
    ])
    return Map.groupBy(
      [...documents].map(([id, document]) => ({ id, document })),
      ({ document }) => {
        const values: Values = JSON.parse(document)
        return matchKey(fields, (field) => values[field])
      },
    )
  }

  /** The id in a row's id columns, or derives one from them. */
  #rowId({ key, values }: ConvertedRow): string {
    return this.#mapping.id.isMade ? this.#hash(key, values) : key.join(' ')
  }

  #wholeRowId({ source, values }: ConvertedRow): string {
    return this.#hash(
      source.cells.filter((cell) => !isNew(cell)),
      values,
    )
  }

  /** The id made of some cells; '' if all are empty. */
  #hash(cells: readonly string[], values: ConvertedRow['values']): string {
    const { collection, same, ticks } = this.#mapping
    const texts = cells.map(normaliseKey)
    if (texts.every((text) => text === '')) return ''
    // Hashed, because ids appear in logs and must not reveal an address.
    const ofEvent = ticks ? (parentOf(collection)?.paths ?? []) : []
    const linkedIds = namingPaths(collection).flatMap(
      (path) => (ofEvent.includes(path) ? values.get(path) : same[path]) ?? [],
    )
    const idText = JSON.stringify([
      this.#destination.organisationId,
      collection,
      ...linkedIds,
      ...texts,
    ])
    return createHash('sha256').update(idText).digest('hex').slice(0, 24)
  }
}

/** The properties that refer to other records. */
const namingPaths = (collection: string): readonly string[] => [
  ...new Set([
    ...references.filter(({ from }) => from === collection).map(({ path }) => path),
    ...(parentOf(collection)?.paths ?? []),
  ]),
]

const isNew = (choice: string) => choice.toLowerCase() === 'new'

const isChosenId = (choice: string) => choice !== '' && !isNew(choice)

const toText = (value: unknown) => (typeof value === 'string' ? value : '')

const matchKey = (fields: readonly string[], get: (field: string) => unknown) =>
  JSON.stringify(fields.map((field) => foldText(toText(get(field)))))
