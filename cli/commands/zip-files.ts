import type { ArchiveFile } from '../../src/formats/personal-data.ts'
import { createZip } from '../../src/formats/zip.ts'

/** Yields the bytes of a zip. Throws the error of its source instead of the stream's. */
export async function* zipFiles(files: AsyncIterable<ArchiveFile>): AsyncGenerator<Uint8Array> {
  let zipError: unknown
  const bytes = createZip(files, (error) => {
    zipError = error
  })
  try {
    yield* bytes
  } catch (error) {
    throw zipError ?? error
  }
}
