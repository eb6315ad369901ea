import { readFileSync } from 'node:fs'

/** What `start` gives, with the process it started to serve it. Linux alone. */
export async function inOwnProcess<Started>(
  start: () => Promise<Started>,
): Promise<Started & { pid: number }> {
  const before = new Set(childrenOf(process.pid))
  const started = await start()
  const [pid, ...others] = childrenOf(process.pid).filter((child) => !before.has(child))
  if (pid === undefined || others.length > 0) throw new Error('Not one process was started.')
  return { ...started, pid }
}

/** The CPU time a process and its threads have taken so far, in milliseconds, to the nearest 10. */
export function cpuOf(pid: number): number {
  const [, stat = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = stat.split(' ').slice(11)
  return (Number(user) + Number(system)) * 10
}

/** The processes that a process has started and that still run. */
export const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
