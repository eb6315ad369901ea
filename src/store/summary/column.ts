import type { Scalar } from '../../model/query/predicate.ts'

/**
 * The values of a field of many records in little memory: each different value has a code, and a record the codes of
 * its values. Records are numbered from 0, in order of arrival.
 */
export class ValueColumn<Value extends Scalar = Scalar> {
  /** The values by code. */
  readonly values: Value[] = []
  readonly #codes = new Map<string | number, number>()
  /** The first code of each record, or -1. */
  readonly #first: Int32Array
  /** The other codes of records with a list in the field. */
  readonly #others = new Map<number, number[]>()

  constructor(records: number) {
    this.#first = new Int32Array(records).fill(-1)
  }

  /** The code of a value. */
  encode(value: Value): number {
    const key = typeof value === 'number' ? value : JSON.stringify(value)
    const known = this.#codes.get(key)
    if (known !== undefined) return known
    this.#codes.set(key, this.values.length)
    return this.values.push(value) - 1
  }

  /** Adds a code to those of a record. */
  add(record: number, code: number): void {
    const first = this.#first[record]
    if (first === -1) this.#first[record] = code
    else if (first !== code) {
      const others = this.#others.get(record)
      if (!others) this.#others.set(record, [code])
      else if (!others.includes(code)) others.push(code)
    }
  }

  /** Adds values to those of a record. An empty text counts as no value. */
  addValues(record: number, values: readonly Value[]): void {
    for (const value of values) if (value !== '') this.add(record, this.encode(value))
  }

  /** The codes of a record, each once. */
  codesOf(record: number): readonly number[] {
    const first = this.#first[record] ?? -1
    if (first === -1) return none
    const others = this.#others.get(record)
    return others ? [first, ...others] : [first]
  }

  /** Whether a record has several values. */
  get hasLists(): boolean {
    return this.#others.size > 0
  }

  /** The number of records with each value. */
  countRecords(): Map<Value, number> {
    const counts = new Map<Value, number>()
    for (let record = 0; record < this.#first.length; record++)
      for (const code of this.codesOf(record)) {
        const value = this.values[code]
        if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
      }
    return counts
  }

  /** The column with other values in place of each: none or several, as of a referenced record. */
  map<Other extends Scalar>(convert: (value: Value) => readonly Other[]): ValueColumn<Other> {
    const mapped = new ValueColumn<Other>(this.#first.length)
    const codes = this.values.map((value) => convert(value).map((other) => mapped.encode(other)))
    for (let record = 0; record < this.#first.length; record++)
      for (const code of this.codesOf(record))
        for (const other of codes[code] ?? []) mapped.add(record, other)
    return mapped
  }
}

const none: readonly number[] = []

/** The values of several columns in one, in which equal values of different columns stay different. */
export function joinColumns(columns: readonly ValueColumn[], records: number): ValueColumn<string> {
  const joined = new ValueColumn<string>(records)
  for (const [index, column] of columns.entries()) {
    const codes = column.values.map((value) => joined.encode(`${index} ${JSON.stringify(value)}`))
    for (let record = 0; record < records; record++)
      for (const code of column.codesOf(record)) joined.add(record, codes[code] ?? 0)
  }
  return joined
}
