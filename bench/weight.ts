import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import {
  bundleFolder,
  emptyStorage,
  repositoryRoot,
  writeConfig,
} from '../cli/deployment/environment.ts'
import { checkStartup } from './cold-starts.ts'
import { median } from './load.ts'
import { atMost, type Line } from './report.ts'

/** Measures the deployed Worker: bundle size, evaluation, start-up by wrangler, and packages. `folder` receives wrangler's profile. */
export async function measureWeight(folder: string, rounds: number): Promise<Line[]> {
  const deploy = ['cli/deploy.ts', '--env', 'production', '--dry-run']
  execFileSync(process.execPath, deploy, { cwd: repositoryRoot, stdio: 'ignore' })
  const bundle = join(bundleFolder('production'), 'index.js')
  const script = readFileSync(bundle, 'utf8')
  const evaluated = Array.from({ length: rounds }, () => measureEvaluation(bundle))
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'])
  const packages = new Set(listed.toString().trim().split('\n').slice(1)).size
  return [
    atMost('bundle, gzipped', gzipSync(script).length / 1024, 470, ' KiB'),
    atMost("evaluating the Worker's module in Node", median(evaluated), 42, ' ms'),
    checkStartup(writeConfig('production', emptyStorage), folder),
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
