import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package files that pages need, by asset name. Requires `npm ci`. */
const packageFiles = {
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui.js': 'swagger-ui-dist/swagger-ui-bundle.js',
}

const assets = join(import.meta.dirname, '../public/assets')

for (const [name, source] of Object.entries(packageFiles))
  copyFileSync(fileURLToPath(import.meta.resolve(source)), join(assets, name))

// The Worker loads the demo's files as example data.
const demo = join(import.meta.dirname, '../demo')
const exampleData = join(assets, 'example-data')
mkdirSync(exampleData, { recursive: true })
for (const name of readdirSync(demo).filter((file) => /\.(csv|json|ndjson)$/.test(file)))
  copyFileSync(join(demo, name), join(exampleData, name))
