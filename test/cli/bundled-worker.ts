import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { bundle } from '../../bench/workers.ts'

/** The folder of a Worker that is bundled for deployment, by its entry. Its name depends on everything it is made from, so that all processes and runs share a bundle. */
export function bundledFolder(entry: 'src/index.ts' | 'src/local.ts'): string {
  const hash = createHash('sha256')
  for (const file of [
    ...globSync('src/**/*.{ts,tsx}').toSorted(),
    'bench/workers.ts',
    'package-lock.json',
    'tsconfig.json',
    'wrangler.toml',
  ])
    hash.update(file).update(readFileSync(file))
  const folder = resolve('node_modules/.cache/bundles', basename(entry), hash.digest('hex'))
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
  // The bundles of other states of the source.
  for (const name of readdirSync(dirname(folder)))
    if (!name.includes('-') && name !== basename(folder))
      rmSync(join(dirname(folder), name), { recursive: true, force: true })
}

/** The text of such a Worker. */
export const bundledScript = (entry: 'src/index.ts') =>
  readFileSync(join(bundledFolder(entry), `${basename(entry, '.ts')}.js`), 'utf8')
