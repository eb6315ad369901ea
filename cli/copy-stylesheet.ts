import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Puts the stylesheet the dashboard stands on, as its package ships it, beside our own (after `npm ci`). */
copyFileSync(
  fileURLToPath(import.meta.resolve('@picocss/pico/css/pico.classless.min.css')),
  join(import.meta.dirname, '../public/assets/pico.css'),
)
