import { logError } from '../http/errors.ts'
import { ApiError } from '../model/api-error.ts'
import type { Store } from '../store/store.ts'

/** The part of Hono's context that lists and downloads need. */
export type ResponseContext = {
  req: { header(name: string): string | undefined }
  var: { store: Store; requestId: string }
}

/** Who is told why an answer broke off. */
export type OnError = (error: unknown) => void

/** Logs why an answer broke off, unless it was refused. */
export const createErrorLogger =
  (c: ResponseContext): OnError =>
  (error) => {
    if (error instanceof Error && !(error instanceof ApiError)) logError(error, c.var.requestId)
  }

/** Texts as bytes, each made once the one before it was taken. A failure breaks the stream off, and is told. */
export function createStream(
  texts: AsyncIterator<string, void>,
  onError: OnError,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await texts.next()
          if (done) controller.close()
          else controller.enqueue(encoder.encode(value))
        } catch (error) {
          onError(error)
          controller.error(interruptedError())
        }
      },
    },
    { highWaterMark: 0 },
  )
}

/** What a stream breaks off with: not the error itself, which the runtime may log and which may hold what was read. */
export const interruptedError = () => new Error('The answer could not be finished.')
