import type { Memory } from './memory.ts'
import type { Load, Outcome } from './under-load.ts'

/*
 * How much memory may grow, in MiB, from a third of the load to its end. What our Worker holds must
 * not: its caches are small and bounded, and a kilobyte lost at each request would be 10 MiB by then.
 * The process may, as the local runtime's databases and limits are Workers too, which collect their
 * garbage late: a Worker that does nothing grows as well.
 */
const mostGrowth: Memory = { heap: 4, resident: 512 }
const mostFaultsShown = 10

/** Formats the result of a load, and whether it passed. */
export function report(
  { connections }: Load,
  { figures, seconds, created, changes, memory, errors }: Outcome,
): { lines: string[]; isGood: boolean } {
  const rate = (figures.requests / seconds).toFixed(0)
  const found = [...faultsOfMemory(memory), ...errors]
  return {
    isGood: found.length === 0,
    lines: [
      `${figures.requests} requests in ${seconds.toFixed(1)} s over ${connections} connections: ${rate} a second`,
      '',
      ...figures.lines(),
      '',
      `${created} members created during the load, and ${changes} times a key or a user shut out or let in`,
      ...(['heap', 'resident'] as const).map((part) => memoryLine(part, memory)),
      `${found.length} errors`,
      ...found.slice(0, mostFaultsShown),
    ],
  }
}

const names: Record<keyof Memory, string> = {
  heap: "our Worker's heap, garbage collected",
  resident: "workerd's resident memory",
}

function memoryLine(part: keyof Memory, memory: readonly Memory[]): string {
  const { before, after } = grown(part, memory)
  return `${names[part]}: ${before.toFixed(1)} MiB at a third, ${after.toFixed(1)} MiB at the end; it may grow by ${mostGrowth[part]}`
}

const faultsOfMemory = (memory: readonly Memory[]) =>
  (['heap', 'resident'] as const)
    .filter((part) => {
      const { before, after } = grown(part, memory)
      return after - before > mostGrowth[part]
    })
    .map((part) => `${names[part]} grew too much.`)

/** The lowest samples of the second third and of the last: memory of single requests comes and goes. */
function grown(part: keyof Memory, memory: readonly Memory[]) {
  const at = (third: number) => Math.floor((memory.length * third) / 3)
  const least = (samples: readonly Memory[]) => Math.min(...samples.map((one) => one[part]))
  return { before: least(memory.slice(at(1), at(2))), after: least(memory.slice(at(2))) }
}
