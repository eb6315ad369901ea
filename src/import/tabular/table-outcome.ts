import { isHidden } from '../../model/hidden-keys.ts'
import { sameJson } from '../../model/same-json.ts'
import type { Values } from '../../model/schema.ts'
import { clipped, type Group, Groups } from '../groups.ts'
import type { Example } from './column-facts.ts'
import type { Saying } from './converter.ts'

/** What is said of some cells or rows, in one reason: of which column, how often, and three of them. */
export type SaidGroup = { column: string; reason: string; count: number; examples: Example[] }

/** What came of a table, or would: how many records, which fields change in how many of those that do, and what is wrong or worth knowing. */
export type TableOutcome = {
  rows: number
  created: number
  updated: number
  unchanged: number
  faulty: number
  changes: { field: string; records: number }[]
  faults: SaidGroup[]
  sayings: SaidGroup[]
  /** Columns with values that the mapping does not name. */
  leftOut: string[]
}

const longestExample = 80

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

  /** How many records were kept. */
  get kept(): number {
    return this.#created + this.#updated
  }

  /** How many rows are in order. */
  get good(): number {
    return this.rows - this.#faulty
  }

  /** A record that is new, or another than before. */
  put(before: Values | undefined, document: string): void {
    if (!before) {
      this.#created++
      return
    }
    this.#updated++
    for (const field of changedFields(before, JSON.parse(document))) {
      this.#changes.set(field, (this.#changes.get(field) ?? 0) + 1)
    }
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
      faults: largestFirst(this.#faults.all),
      sayings: largestFirst(this.#sayings.all),
      leftOut,
    }
  }
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
