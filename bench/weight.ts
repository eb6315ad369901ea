import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { answer, median } from './load.ts'
import { atMost, type Line } from './report.ts'
import { start } from './workers.ts'

const bareWorker = 'export default { fetch: () => new Response() }'

/** What the Worker weighs: its bundle, what it takes to start, its packages, and a member on disk. */
export async function weight(
  folder: string,
  script: string,
  disk: { file: string; members: number },
): Promise<Line[]> {
  const first = async (ours: string, path: string) => {
    const { runtime, url } = await start(folder, { ours, floor: bareWorker })
    const sent = performance.now()
    await answer({ url: new URL(path, url).href })
    const taken = performance.now() - sent
    await runtime.dispose()
    return taken
  }
  const [ours, bare]: [number[], number[]] = [[], []]
  for (let round = 0; round < 5; round++) {
    ours.push(await first(script, '/api/v1/openapi.json'))
    bare.push(await first(bareWorker, '/'))
  }
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'])
  const packages = new Set(listed.toString().trim().split('\n').slice(1)).size
  return [
    atMost('bundle, gzipped', gzipSync(script).length / 1024, 120, ' KiB'),
    {
      measure: 'first answer of a new Worker, ours and a bare one',
      result: `${median(ours).toFixed(0)} ms, ${median(bare).toFixed(0)} ms`,
    },
    { measure: 'packages at run time', result: String(packages) },
    {
      measure: 'a member on disk, with its index',
      result: `${(statSync(disk.file).size / disk.members / 1024).toFixed(2)} KiB`,
    },
  ]
}
