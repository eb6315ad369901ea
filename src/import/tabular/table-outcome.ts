import { isHidden } from '../../model/hidden-keys.ts'
import { sameJson } from '../../model/same-json.ts'
import type { Values } from '../../model/schema.ts'
import type { Written } from '../../store/put.ts'
import { clipped, type Group, Groups } from '../groups.ts'
import { usualName } from './called.ts'
import type { Example } from './column-facts.ts'
import type { Saying } from './converter.ts'

/** What is said of some cells or rows, in one reason: of which column, how often, and three of them. */
export type SaidGroup = { column: string; reason: string; count: number; examples: Example[] }

/** A record that changes: its line, its id and name, and its fields with their old and new values, up to a maximum. */
export type ChangedRecord = {
  line: number
  id: string
  name: string
  fields: { field: string; before: string; after: string }[]
}

/** What came of a table, or would: how many records, which fields change in how many of those that do, and what is wrong or worth knowing. */
export type TableOutcome = {
  rows: number
  created: number
  updated: number
  unchanged: number
  faulty: number
  changes: { field: string; records: number }[]
  /** The first records that change. */
  changed: ChangedRecord[]
  faults: SaidGroup[]
  sayings: SaidGroup[]
  /** Columns with values that the mapping does not name. */
  leftOut: string[]
}

const longestExample = 80
const maxChanged = 100
const maxChangedFields = 20

/** Counts what becomes of the rows of a table, and gathers what is said of them. */
export class Tallied {
  rows = 0
  unchanged = 0
  #created = 0
  #updated = 0
  #faulty = 0
  readonly #faults = new Groups<Example>()
  readonly #sayings = new Groups<Example>()
  readonly #changes = new Map<string, number>()
  readonly #changed: ChangedRecord[] = []

  /** How many records were kept. */
  get kept(): number {
    return this.#created + this.#updated
  }

  /** How many rows are in order. */
  get good(): number {
    return this.rows - this.#faulty
  }

  /** A record that is new, or another than before. */
  put(line: number, before: Values | undefined, { id, document }: Written): void {
    if (!before) {
      this.#created++
      return
    }
    this.#updated++
    const after: Values = JSON.parse(document)
    const fields = changedFields(before, after)
    for (const field of fields) this.#changes.set(field, (this.#changes.get(field) ?? 0) + 1)
    if (this.#changed.length === maxChanged) return
    const shown = fields.slice(0, maxChangedFields).map((field) => ({
      field,
      before: shownValue(before[field]),
      after: shownValue(after[field]),
    }))
    this.#changed.push({ line, id, name: nameIn(before), fields: shown })
  }

  /** A row that is not imported. */
  refuse(line: number, faults: readonly Saying[]): void {
    this.#faulty++
    for (const fault of faults) add(this.#faults, line, fault)
  }

  /** What is worth knowing of a row that is. */
  say(line: number, sayings: readonly Saying[]): void {
    for (const saying of sayings) add(this.#sayings, line, saying)
  }

  outcome(leftOut: string[]): TableOutcome {
    return {
      rows: this.rows,
      created: this.#created,
      updated: this.#updated,
      unchanged: this.unchanged,
      faulty: this.#faulty,
      changes: [...this.#changes]
        .map(([field, records]) => ({ field, records }))
        .toSorted((a, b) => b.records - a.records),
      changed: this.#changed,
      faults: largestFirst(this.#faults.all),
      sayings: largestFirst(this.#sayings.all),
      leftOut,
    }
  }
}

/** The name in a record; '' where it has none. */
function nameIn(values: Values): string {
  const named = (...names: string[]) =>
    names.flatMap((name) => {
      const [, value] = Object.entries(values).find(([field]) => usualName(field) === name) ?? []
      return typeof value === 'string' && value !== '' ? [value] : []
    })
  const [whole] = named('Full Name')
  return whole ?? named('First Name', 'Surname').join(' ')
}

function shownValue(value: unknown): string {
  const text = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)
  return clipped(text, longestExample)
}

const add = (to: Groups<Example>, line: number, { column, reason, value }: Saying) =>
  to.add(column, reason, [{ line, value: clipped(value, longestExample) }])

const largestFirst = (groups: readonly Group<Example>[]): SaidGroup[] =>
  groups
    .map(({ of: column, ...group }) => ({ column, ...group }))
    .toSorted((a, b) => b.count - a.count)

/** The fields of two records that differ; what is worked out of others (`$…`) is none. */
const changedFields = (before: Values, after: Values): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !isHidden(field) && !sameJson(before[field], after[field]),
  )
