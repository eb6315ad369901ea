/** How fast an upload must be: so many bytes in each period. */
type MinRate = { bytes: number; periodMs: number }

/** The chunks of a body as they arrive. Throws `tooSlow` when a period ends without as many bytes as it must bring. */
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
      // Between two reads it is the reader who is slow.
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
    // Behind a read that does not end, `return` would not end either.
    if (!isLate) await chunks.return?.()
  }
}
