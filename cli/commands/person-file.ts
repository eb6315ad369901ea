import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Everything } from '../../src/people/everything.ts'
import { everythingFiles, everythingJson } from '../../src/representations/everything.ts'
import { zipOf } from '../../src/representations/zip.ts'
import { Refusal } from '../terminal/refusal.ts'

/** Writes everything of a person to a new file: a zip, or JSON where it is called so. */
export async function writePerson(everything: Everything, file: string): Promise<void> {
  const parts = file.endsWith('.json')
    ? Readable.from(everythingJson(everything))
    : Readable.from(zipped(everything))
  // What is broken off must not be taken for the whole; nobody else on this machine may read it.
  const unfinished = unfinishedOf(file)
  const opened = await open(unfinished, 'wx', 0o600).catch((error) => {
    throw new Refusal(`${file} cannot be written: ${error.code}.`)
  })
  try {
    await pipeline(parts, opened.createWriteStream())
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Refuses a file that is there already, whole or unfinished, or of a form that is not written. */
export function demandNewFile(file: string): void {
  if (!/\.(zip|json)$/.test(file)) throw new Refusal('--out: must end in .zip or .json.')
  for (const one of [file, unfinishedOf(file)])
    if (existsSync(one)) throw new Refusal(`${one} is there already: name a new file.`)
}

const unfinishedOf = (file: string) => `${file}.unfinished`

/** The bytes of the zip; throws why it could not be made, and not only that. */
async function* zipped(everything: Everything): AsyncGenerator<Uint8Array> {
  let fault: unknown
  const bytes = zipOf(everythingFiles(everything), (error) => {
    fault = error
  })
  try {
    yield* bytes
  } catch (error) {
    throw fault ?? error
  }
}
