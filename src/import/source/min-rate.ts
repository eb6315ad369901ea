/** The minimum speed of an upload: a number of bytes per period. */
type MinRate = { bytes: number; periodMs: number }

/** Yields the chunks of a body as they arrive. Throws `tooSlow()` if a period ends with too few bytes. */
export async function* enforceMinRate(
  body: AsyncIterable<Uint8Array>,
  { bytes, periodMs }: MinRate,
  tooSlow: () => Error,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  let isLate = false
  let rejectRead: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const startPeriod = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // Without a pending read, the consumer is slow, not the upload.
      if (rejectRead) rejectRead()
      else startPeriod()
    }, periodMs)
  }
  const read = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      rejectRead = () => {
        isLate = true
        reject(tooSlow())
      }
      chunks.next().then(resolve, reject)
    }).finally(() => {
      rejectRead = undefined
    })
  try {
    startPeriod()
    let arrived = 0
    for (;;) {
      const { done, value } = await read()
      if (done) return
      arrived += value.byteLength
      if (arrived >= bytes) {
        arrived = 0
        startPeriod()
      }
      yield value
    }
  } finally {
    clearTimeout(timer)
    // Don't call `return` after a timeout: it would wait for a read that may never end.
    if (!isLate) await chunks.return?.()
  }
}
