import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the pages stand on, as its packages ship it, by the name it has beside our own (after `npm ci`). */
const assets = {
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui.js': 'swagger-ui-dist/swagger-ui-bundle.js',
}

for (const [name, source] of Object.entries(assets)) {
  copyFileSync(
    fileURLToPath(import.meta.resolve(source)),
    join(import.meta.dirname, '../public/assets', name),
  )
}
