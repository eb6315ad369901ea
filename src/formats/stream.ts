import { ApiError } from '../model/api-error.ts'
import { logError } from '../platform/log.ts'
import type { Store } from '../store/store.ts'

/** The part of Hono's context that lists and downloads need. */
export type ResponseContext = {
  req: { url: string; header(name: string): string | undefined }
  var: { store: Store; requestId: string }
}

/** Receives the error that aborted a response. */
export type OnError = (error: unknown) => void

/** A handler that logs the error of an aborted response, except an ApiError. */
export const createErrorLogger =
  (c: ResponseContext): OnError =>
  (error) => {
    const { requestId } = c.var
    if (!(error instanceof ApiError)) logError('response', { requestId }, error)
  }

/** Streams texts as bytes, like `streamBytes`. */
export function createStream(
  texts: AsyncIterator<string, void>,
  onError: OnError,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return streamChunks(texts, (text) => encoder.encode(text), onError)
}

/** Streams bytes and produces each chunk when the reader asks for it. An error aborts the stream and is passed to `onError`. */
export const streamBytes = (
  chunks: AsyncIterator<Uint8Array, void>,
  onError: OnError,
): ReadableStream<Uint8Array> => streamChunks(chunks, (bytes) => bytes, onError)

function streamChunks<Chunk>(
  chunks: AsyncIterator<Chunk, void>,
  toBytes: (chunk: Chunk) => Uint8Array,
  onError: OnError,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await chunks.next()
          if (done) controller.close()
          else controller.enqueue(toBytes(value))
        } catch (error) {
          onError(error)
          controller.error(interruptedError())
        }
      },
    },
    { highWaterMark: 0 },
  )
}

/** The error of an aborted stream. The runtime may log it, and the original error may contain personal data. */
export const interruptedError = () => new Error('The answer could not be finished.')
