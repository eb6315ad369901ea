import '../platform/zip-settings.ts'
import { ZipWriter } from '@zip.js/zip.js/lib/zip-core-custom.js'
import type { ArchiveFile } from './personal-data.ts'
import { createStream, interruptedError, type OnError } from './stream.ts'

/** Streams a zip of files; each is written after the reader took the previous one. */
export function createZip(
  files: AsyncIterable<ArchiveFile>,
  onError: OnError,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  writeFiles(files, writable).catch(async (error: unknown) => {
    onError(error)
    // The reader may have cancelled.
    await writable.abort(interruptedError()).catch(() => {})
  })
  return readable
}

async function writeFiles(
  files: AsyncIterable<ArchiveFile>,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const zip = new ZipWriter(writable)
  for await (const { name, texts } of files) {
    let streamError: unknown
    const bytes = createStream(texts, (error) => {
      streamError = error
    })
    await zip.add(name, bytes).catch((error: unknown) => {
      throw streamError ?? error
    })
  }
  await zip.close()
}
