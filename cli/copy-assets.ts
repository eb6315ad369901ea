import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { demoFolder, listDemoFiles } from './demo-files.ts'

/** The package files that pages need, by asset name. Requires `npm ci`. */
const packageFiles = {
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui.js': 'swagger-ui-dist/swagger-ui-bundle.js',
}

const assets = join(import.meta.dirname, '../public/assets')

for (const [name, source] of Object.entries(packageFiles))
  copyFileSync(fileURLToPath(import.meta.resolve(source)), join(assets, name))

// The Worker loads the demo's files as example data.
const exampleData = join(assets, 'example-data')
mkdirSync(exampleData, { recursive: true })
for (const name of listDemoFiles()) copyFileSync(join(demoFolder, name), join(exampleData, name))
