import type { Fault } from '../model/checked.ts'
import type { Counts } from '../records/keeping.ts'
import { Groups } from './groups.ts'
import type { FileFault } from './read.ts'

/** Faults of a file that say the same of the same field: how many there are, and the first lines that have one; none where the file as a whole does. */
export type FaultGroup = Fault & { count: number; lines: number[] }

/** What came of a file: how many records it has that are good and how many that are faulty, what became of the good ones, and the faults; with a fault, nothing was kept but what `counts` says. */
export type Outcome = { records: number; faulty: number; counts: Counts; faults: FaultGroup[] }

const maxErrors = 1000

const stopped = `The check stopped after ${maxErrors.toLocaleString('en-GB')} errors: correct these first.`

/** The faults of a file in groups, in the order in which the first of each was found. */
export class Faults {
  readonly #groups = new Groups<number>()
  #count = 0
  #isStopped = false

  add({ line, field, reason }: FileFault): void {
    this.#count++
    this.#groups.add(field, reason, line > 0 ? [line] : [])
  }

  /** Whether the file has its maximum of errors: checking further costs time and helps nobody. */
  get isFull(): boolean {
    return this.#count >= maxErrors
  }

  /** Adds errors up to the maximum of a file. */
  addAll(errors: readonly FileFault[]): void {
    for (const error of errors) {
      if (this.isFull) {
        this.stop()
        return
      }
      this.add(error)
    }
  }

  /** Notes that the rest of the file was not checked. */
  stop(): void {
    this.#isStopped = true
  }

  /** Adds what was found in another part of the same file. */
  merge({ field, reason, count, lines }: FaultGroup): void {
    this.#groups.add(field, reason, lines, count)
  }

  get groups(): FaultGroup[] {
    const groups = this.#groups.all.map(({ of, reason, count, examples }) => {
      return { field: of, reason, count, lines: examples }
    })
    return this.#isStopped
      ? [...groups, { field: '', reason: stopped, count: 1, lines: [] }]
      : groups
  }
}

/** The groups of some faults. */
export function grouped(faults: readonly FileFault[]): FaultGroup[] {
  const all = new Faults()
  for (const fault of faults) all.add(fault)
  return all.groups
}
