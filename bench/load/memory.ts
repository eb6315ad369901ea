import { execFileSync } from 'node:child_process'
import type { Miniflare } from 'miniflare'

/** Memory in MiB: workerd's process with all Workers and databases of the local runtime, and our Worker's heap after garbage collection. */
export type Memory = { resident: number; heap: number }

/** Samples a runtime's memory under load. The process's memory is NaN without `ps`. */
export async function measureMemory(runtime: Miniflare) {
  const socket = new WebSocket(new URL('/core:user:ours', await runtime.getInspectorURL()).href)
  const waiting = new Map<number, PromiseWithResolvers<{ usedSize: number }>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.resolve(result)
    waiting.delete(id)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values())
      reject(new Error('The inspector closed the connection.'))
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let sent = 0
  const call = (method: string) => {
    const answered = Promise.withResolvers<{ usedSize: number }>()
    waiting.set(++sent, answered)
    socket.send(JSON.stringify({ id: sent, method }))
    return answered.promise
  }
  await call('Runtime.enable')
  await call('HeapProfiler.enable')
  return {
    async sample(): Promise<Memory> {
      await call('HeapProfiler.collectGarbage')
      const { usedSize } = await call('Runtime.getHeapUsage')
      return { resident: readResidentMemory(), heap: usedSize / 2 ** 20 }
    },
    close: () => socket.close(),
  }
}

function readResidentMemory(): number {
  try {
    const processes = execFileSync('ps', ['-A', '-o', 'ppid=,rss=,comm=']).toString().split('\n')
    const workerd = processes
      .map((line) => line.trim().split(/\s+/))
      .find(([parent, , name = '']) => Number(parent) === process.pid && name.includes('workerd'))
    return Number(workerd?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
