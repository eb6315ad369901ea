import type { Memory } from './memory.ts'
import type { Load, LoadResult } from './under-load.ts'

/*
 * The maximum growth in MiB from a third of the load to its end. Our Worker's caches are small and
 * bounded; a leak of 1 KB per request would add 10 MiB. The process may grow more: the local runtime's
 * databases and limits are Workers too, and they collect garbage late.
 */
const maxGrowth: Memory = { heap: 4, resident: 512 }
const maxErrorsShown = 10

/** Formats the result of a load, and whether it passed. */
export function formatReport(
  { connections }: Load,
  { figures, seconds, created, changes, memory, errors }: LoadResult,
): { lines: string[]; passed: boolean } {
  const rate = (figures.requests / seconds).toFixed(0)
  const allErrors = [...findMemoryErrors(memory), ...errors]
  return {
    passed: allErrors.length === 0,
    lines: [
      `${figures.requests} requests in ${seconds.toFixed(1)} s over ${connections} connections: ${rate} a second`,
      '',
      ...figures.lines(),
      '',
      `${created} members created during the load, ${changes} changes of keys and users`,
      ...(['heap', 'resident'] as const).map((part) => formatMemory(part, memory)),
      `${allErrors.length} errors`,
      ...allErrors.slice(0, maxErrorsShown),
    ],
  }
}

const partNames: Record<keyof Memory, string> = {
  heap: "our Worker's heap, garbage collected",
  resident: "workerd's resident memory",
}

function formatMemory(part: keyof Memory, memory: readonly Memory[]): string {
  const { before, after } = measureMemoryGrowth(part, memory)
  return `${partNames[part]}: ${before.toFixed(1)} MiB at a third, ${after.toFixed(1)} MiB at the end; maximum growth ${maxGrowth[part]}`
}

const findMemoryErrors = (memory: readonly Memory[]) =>
  (['heap', 'resident'] as const)
    .filter((part) => {
      const { before, after } = measureMemoryGrowth(part, memory)
      return after - before > maxGrowth[part]
    })
    .map((part) => `${partNames[part]} grew too much.`)

/** Returns the lowest samples of the second and of the last third: memory of single requests comes and goes. */
function measureMemoryGrowth(part: keyof Memory, memory: readonly Memory[]) {
  const at = (third: number) => Math.floor((memory.length * third) / 3)
  const lowest = (samples: readonly Memory[]) => Math.min(...samples.map((one) => one[part]))
  return { before: lowest(memory.slice(at(1), at(2))), after: lowest(memory.slice(at(2))) }
}
