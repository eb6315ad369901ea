import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { bundleFolder, repositoryRoot } from '../cli/deployment/environment.ts'
import { fetchText, median } from './load.ts'
import { atMost, type Line } from './report.ts'
import { start } from './workers.ts'

const bareWorker = 'export default { fetch: () => new Response() }'

/** Measures the deployed Worker: bundle size, start-up time and packages. */
export async function measureWeight(folder: string, rounds: number): Promise<Line[]> {
  const deploy = ['cli/deploy.ts', '--env', 'production', '--dry-run']
  execFileSync(process.execPath, deploy, { cwd: repositoryRoot, stdio: 'ignore' })
  const bundle = join(bundleFolder('production'), 'index.js')
  const script = readFileSync(bundle, 'utf8')
  const first = async (worker: string, path: string) => {
    const { runtime, url } = await start(folder, worker)
    const sent = performance.now()
    await fetchText({ url: url + path })
    const taken = performance.now() - sent
    await runtime.dispose()
    return taken
  }
  const [ours, bare, evaluated]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    ours.push(await first(script, '/openapi.json'))
    bare.push(await first(bareWorker, '/'))
    evaluated.push(measureEvaluation(bundle))
  }
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'])
  const packages = new Set(listed.toString().trim().split('\n').slice(1)).size
  return [
    atMost('bundle, gzipped', gzipSync(script).length / 1024, 400, ' KiB'),
    atMost("evaluating the Worker's module in Node", median(evaluated), 20, ' ms'),
    {
      measure: 'first response of a new isolate, ours and of a bare Worker',
      result: `${median(ours).toFixed(0)} ms, ${median(bare).toFixed(0)} ms`,
    },
    { measure: 'packages at run time', result: String(packages) },
  ]
}

/** Returns the milliseconds of CPU that a new Node process needs to import a module. */
function measureEvaluation(module: string): number {
  const program = `
    const before = process.threadCpuUsage()
    await import('${pathToFileURL(module)}')
    const { user, system } = process.threadCpuUsage(before)
    console.log((user + system) / 1000)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program]))
}
