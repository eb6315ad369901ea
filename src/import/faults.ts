import type { Fault } from '../model/checked.ts'
import type { Counts } from '../records/keeping.ts'
import type { FileFault } from './read.ts'

/** Faults of a file that say the same of the same field: how many there are, and the first lines that have one; none where the file as a whole does. */
export type FaultGroup = Fault & { count: number; lines: number[] }

/** What came of a file: how many records it has that are good and how many that are faulty, what became of the good ones, and the faults; with a fault, nothing was kept but what `counts` says. */
export type Outcome = { records: number; faulty: number; counts: Counts; faults: FaultGroup[] }

const mostGroups = 100
const mostLines = 3
const mostOfName = 256

/** The faults of a file in groups, in the order in which the first of each was found. */
export class Faults {
  readonly #groups = new Map<string, FaultGroup>()

  add({ line, field, reason }: FileFault): void {
    this.merge({ field, reason, count: 1, lines: line > 0 ? [line] : [] })
  }

  /** Adds what was found in another part of the same file. */
  merge({ field, reason, count, lines }: FaultGroup): void {
    const name = field.length > mostOfName ? `${field.slice(0, mostOfName)}…` : field
    const group = this.#group(name, reason)
    group.count += count
    for (const line of lines) {
      if (group.lines.length < mostLines && !group.lines.includes(line)) group.lines.push(line)
    }
  }

  get groups(): FaultGroup[] {
    return [...this.#groups.values()]
  }

  // Whoever gives every record a property of its own must not fill the memory.
  #group(field: string, reason: string): FaultGroup {
    const key = JSON.stringify([field, reason])
    const known = this.#groups.get(key)
    if (known) return known
    if (this.#groups.size >= mostGroups && reason !== others) return this.#group('', others)
    const group: FaultGroup = { field, reason, count: 0, lines: [] }
    this.#groups.set(key, group)
    return group
  }
}

const others = 'There are faults of more kinds than are told.'

/** The groups of some faults. */
export function grouped(faults: readonly FileFault[]): FaultGroup[] {
  const all = new Faults()
  for (const fault of faults) all.add(fault)
  return all.groups
}
