import { readdirSync, readFileSync } from 'node:fs'

/** Runs `start`, and adds the id of the process that it starts to its result. Linux only. */
export async function startInOwnProcess<Started>(
  start: () => Promise<Started>,
): Promise<Started & { pid: number }> {
  const before = new Set(listChildren(process.pid))
  const started = await start()
  const [pid, ...others] = listChildren(process.pid).filter((child) => !before.has(child))
  if (pid === undefined || others.length > 0) throw new Error('Expected one new process.')
  return { ...started, pid }
}

/** Returns the CPU time of a process and its threads so far, in milliseconds, to the nearest 10. */
export function readCpu(pid: number): number {
  const [, stat = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = stat.split(' ').slice(11)
  return (Number(user) + Number(system)) * 10
}

/** The CPU time of a process's running threads so far, in milliseconds: finer than `readCpu`, without the threads that have ended. */
export function readThreadsCpu(pid: number): number {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1e6
}

/** Returns the ids of a process's running children. */
export const listChildren = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
