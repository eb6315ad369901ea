import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package files that pages need, by asset name. Requires `npm ci`. */
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
