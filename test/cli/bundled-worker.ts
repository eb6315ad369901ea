import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { bundle } from '../../bench/workers.ts'

/** The folder of a Worker that is bundled for deployment, by its entry. Its name depends on everything it is made from, so each is bundled once, for all processes and runs. */
export function bundledFolder(entry: 'src/index.ts' | 'src/local.ts'): string {
  const hash = createHash('sha256').update(entry)
  for (const file of [
    ...globSync('src/**/*.{ts,tsx}').toSorted(),
    'bench/workers.ts',
    'package-lock.json',
    'tsconfig.json',
    'wrangler.toml',
  ])
    hash.update(file).update(readFileSync(file))
  const folder = resolve('node_modules/.cache/bundles', hash.digest('hex'))
  if (!existsSync(folder)) makeBundle(entry, folder)
  return folder
}

// Another process may be doing the same, so the folder is renamed when complete.
function makeBundle(entry: string, folder: string): void {
  mkdirSync(dirname(folder), { recursive: true })
  const unfinished = mkdtempSync(`${folder}-`)
  bundle(unfinished, entry)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true })
  }
}

/** The text of such a Worker. */
export const bundledScript = (entry: 'src/index.ts') =>
  readFileSync(join(bundledFolder(entry), `${basename(entry, '.ts')}.js`), 'utf8')
