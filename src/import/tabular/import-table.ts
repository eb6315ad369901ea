import { putProperty } from '../../model/put-property.ts'
import { sameJson } from '../../model/same-json.ts'
import type { Kind, Schema, Values } from '../../model/schema.ts'
import type { Written } from '../../store/put.ts'
import { Interrupted } from '../read.ts'
import { chunksOf } from '../tables/chunks.ts'
import type { Row, Table } from '../tables/table.ts'
import type { Target } from '../target.ts'
import { eventError } from './booking-event.ts'
import { Converter, type Saying } from './converter.ts'
import type { Destination } from './destination.ts'
import { type Identified, Identities } from './identify.ts'
import { resolveLinks } from './links.ts'
import type { Mapping } from './mapping.ts'
import type { Place } from './places.ts'
import { type TableOutcome, Tallied } from './table-outcome.ts'
import { UniqueRows } from './unique-rows.ts'

/** What a table's rows become, and by which rules. */
export type Rules = {
  mapping: Mapping
  places: readonly Place[]
  target: Target
  schemas: Partial<Record<Kind, Schema>>
}

/** What is done with the rows: whether good ones are written, and who is told of the faulty ones and of how many are done. */
export type Doing = {
  writes: boolean
  faulty?: (row: Row, reasons: readonly string[], chosen: string) => void | Promise<void>
  progress?: (rows: number) => void
}

/** Makes records of a table's rows: says what that comes to, and if it `writes` keeps the good ones, chunk by chunk. What a table has no column for stays as it is in a record that is kept. */
export async function importTable(
  name: string,
  table: Table,
  rules: Rules,
  to: Destination,
  doing: Doing,
): Promise<TableOutcome> {
  const run = new Run(table, rules, to, doing)
  try {
    for await (const rows of chunksOf(table)) await run.take(rows)
    await run.end()
  } catch (error) {
    await run.settled()
    if (!doing.writes || run.kept === 0) throw error
    throw new Interrupted(name, run.kept, run.outcome.rows, error)
  }
  return run.outcome
}

/** A row's record as it is to be kept, and what was kept before. */
type Candidate = { row: Identified; written: Written; before: Values | undefined }

class Run {
  readonly #rules: Rules
  readonly #to: Destination
  readonly #doing: Doing
  readonly #converter: Converter
  readonly #identities: Identities
  readonly #unique: UniqueRows
  readonly #tallied = new Tallied()
  #keeping: Promise<undefined | { error: unknown }> = Promise.resolve(undefined)

  constructor(table: Table, rules: Rules, to: Destination, doing: Doing) {
    this.#rules = rules
    this.#to = to
    this.#doing = doing
    this.#converter = new Converter(rules.mapping, table.headings, rules.places)
    this.#identities = new Identities(to, rules.mapping)
    this.#unique = new UniqueRows(to, rules.target)
  }

  get kept(): number {
    return this.#tallied.kept
  }

  /** Waits for what is being kept, whatever comes of it. */
  async settled(): Promise<void> {
    await this.#keeping
  }

  get outcome(): TableOutcome {
    return this.#tallied.outcome(this.#converter.leftOut)
  }

  async take(all: readonly Row[]): Promise<void> {
    for (const { line, cells } of all.filter(({ isTotal }) => isTotal)) {
      const value = cells.filter((cell) => cell.trim() !== '').join(' ')
      this.#tallied.say(line, [{ column: '', reason: 'holds totals and is skipped.', value }])
    }
    const rows = all.filter(({ isTotal }) => !isTotal)
    const converted = rows.map((row) => this.#converter.convert(row))
    await resolveLinks(this.#to, this.#rules.schemas, converted)
    const identify = await this.#identities.reader(converted)
    this.#tallied.rows += rows.length
    const candidates: Candidate[] = []
    const found: Identified[] = []
    // One after the other, as each may repeat the one before.
    for (const one of converted) {
      const row = identify(one)
      found.push(row)
      const candidate = this.#checked(row)
      if (candidate) candidates.push(candidate)
    }
    const good = await this.#unique.among(candidates, ({ row }, field, reason) =>
      this.#fault(row, field, reason),
    )
    await this.#keep(await this.#differing(good))
    for (const row of found) {
      if (row.faults.length > 0) await this.#refuse(row)
      else this.#tallied.say(row.row.line, row.sayings)
    }
    this.#doing.progress?.(this.#tallied.rows)
  }

  async end(): Promise<void> {
    await this.#kept()
    if (!this.#doing.writes) return
    const { collection } = this.#rules.target
    await this.#to.noteImport(collection, this.#tallied.good)
  }

  /** A row as its record, unless it has faults, which it is then told. */
  #checked(row: Identified): Candidate | undefined {
    const { target } = this.#rules
    const { id, document } = row
    if (id === '') return undefined
    const before: Values | undefined = document === undefined ? undefined : JSON.parse(document)
    const given: Record<string, unknown> = {}
    for (const [path, value] of row.given) {
      if (before || value !== null)
        putProperty(given, target.nested ? path.split('.') : [path], value)
    }
    putProperty(given, [target.id], id)
    const checked = before ? target.merge(before, given) : target.check(given)
    if ('kept' in checked) return this.#candidate(row, checked.kept, before)
    for (const { field, reason } of checked.faults) this.#fault(row, field, reason)
    return undefined
  }

  #candidate(row: Identified, written: Written, before: Values | undefined): Candidate | undefined {
    if (row.faults.length > 0) return undefined
    const after: Values = JSON.parse(written.document)
    const { mapping } = this.#rules
    const error = eventError(mapping, { row, before, after })
    if (error) {
      const { reason, isOfId } = error
      const column = isOfId ? mapping.id.columns.join(' + ') : this.#converter.headingOf('eventId')
      row.faults.push({ column: column ?? '', reason, value: isOfId ? row.key.join(' ') : '' })
      return undefined
    }
    this.#identities.note(row.id, before, after)
    return { row, written, before }
  }

  /** A fault of a property, named by the column that gives it; one that the column was said to have already is not told twice. */
  #fault(row: Identified, field: string, reason: string): void {
    const path = field.replace(/(?:\.\d+)+$/, '')
    const heading = this.#converter.headingOf(path)
    const column =
      heading ?? (path === this.#rules.target.id ? this.#rules.mapping.id.columns.join(' + ') : '')
    if (row.faults.some((fault) => fault.column === column && column !== '')) return
    const value = row.given.get(path)
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
    row.faults.push({
      column,
      reason: heading || !path ? reason : `${path} ${reason}`,
      value: text,
    })
  }

  /** The candidates that change anything, with what is worked out of them; the others are counted. */
  async #differing(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const known = candidates.filter(({ before }) => before)
    const completed = await this.#to.completed(
      this.#rules.target,
      candidates.map(({ written }) => written),
      new Map(known.map(({ written, before }) => [written.id, before ?? {}])),
    )
    const byId = new Map(completed.map((one) => [one.id, one]))
    return candidates
      .map((one) => ({ ...one, written: byId.get(one.written.id) ?? one.written }))
      .filter(({ written, before }) => {
        const after: Values = JSON.parse(written.document)
        this.#identities.note(written.id, after)
        const isSame = before !== undefined && sameJson(after, before)
        if (isSame) this.#tallied.unchanged++
        return !isSame
      })
  }

  /** Keeps candidates while the next rows are read; no row is of a record that an earlier one is of. */
  async #keep(candidates: readonly Candidate[]): Promise<void> {
    await this.#kept()
    const written = candidates.map(({ written }) => written)
    const isWritten = this.#doing.writes && written.length > 0
    const keeping = isWritten ? this.#to.keep(this.#rules.target, written) : Promise.resolve()
    this.#keeping = keeping.then(
      () => {
        for (const { row, written, before } of candidates)
          this.#tallied.put(row.row.line, before, written)
        return undefined
      },
      (error: unknown) => ({ error }),
    )
  }

  /** Waits until what is being kept is; throws what came in the way. */
  async #kept(): Promise<void> {
    const failed = await this.#keeping
    if (failed) throw failed.error
  }

  async #refuse(row: Identified): Promise<void> {
    this.#tallied.refuse(row.row.line, row.faults)
    await this.#doing.faulty?.(row.row, row.faults.map(reasonOf), row.chosen)
  }
}

const reasonOf = ({ column, reason }: Saying) => (column ? `${column} ${reason}` : reason)
