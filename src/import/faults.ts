import type { Fault } from '../model/checked.ts'
import type { Counts } from '../records/keeping.ts'
import { Groups } from './groups.ts'
import type { FileFault } from './read.ts'

/** Faults of a file that say the same of the same field: how many there are, and the first lines that have one; none where the file as a whole does. */
export type FaultGroup = Fault & { count: number; lines: number[] }

/** What came of a file: how many records it has that are good and how many that are faulty, what became of the good ones, and the faults; with a fault, nothing was kept but what `counts` says. */
export type Outcome = { records: number; faulty: number; counts: Counts; faults: FaultGroup[] }

/** The faults of a file in groups, in the order in which the first of each was found. */
export class Faults {
  readonly #groups = new Groups<number>()

  add({ line, field, reason }: FileFault): void {
    this.#groups.add(field, reason, line > 0 ? [line] : [])
  }

  /** Adds what was found in another part of the same file. */
  merge({ field, reason, count, lines }: FaultGroup): void {
    this.#groups.add(field, reason, lines, count)
  }

  get groups(): FaultGroup[] {
    return this.#groups.all.map(({ of, reason, count, examples }) => {
      return { field: of, reason, count, lines: examples }
    })
  }
}

/** The groups of some faults. */
export function grouped(faults: readonly FileFault[]): FaultGroup[] {
  const all = new Faults()
  for (const fault of faults) all.add(fault)
  return all.groups
}
