import { configure, ZipWriter } from '@zip.js/zip.js/lib/zip-core-custom.js'
import type { File } from './everything.ts'
import { brokenOff, type Failed, streamOf } from './stream.ts'

// Workers would hold a copy of what they deflate.
configure({ useWebWorkers: false })

/** A zip of files, each written once the one before it was taken. */
export function zipOf(files: AsyncIterable<File>, failed: Failed): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  write(files, writable).catch(async (error: unknown) => {
    failed(error)
    // Nobody reads it any more, perhaps.
    await writable.abort(brokenOff()).catch(() => {})
  })
  return readable
}

async function write(files: AsyncIterable<File>, to: WritableStream<Uint8Array>): Promise<void> {
  const zip = new ZipWriter(to)
  for await (const { name, texts } of files) {
    let fault: unknown
    const bytes = streamOf(texts, (error) => {
      fault = error
    })
    await zip.add(name, bytes).catch((error: unknown) => {
      throw fault ?? error
    })
  }
  await zip.close()
}
