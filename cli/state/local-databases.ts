import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../deployment/environment.ts'

/**
 * Lists the databases of the local service: the bindings in the sections `[[d1_databases]]` of wrangler.toml.
 * Wrangler, which can read the file too, takes a second to load.
 */
export const listLocalDatabases = (): string[] =>
  readFileSync(join(repositoryRoot, 'wrangler.toml'), 'utf8')
    .split(/^(?=\[)/m)
    .filter((section) => section.startsWith('[[d1_databases]]'))
    .flatMap((section) => /^binding\s*=\s*["'](\w+)["']/m.exec(section)?.[1] ?? [])
