const defaultTimeoutMs = 10_000

/** The error for a database or KV that does not respond in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** Awaits a promise. Throws a TimeoutError after the timeout. */
export async function withTimeout<Result>(
  promise: PromiseLike<Result>,
  timeoutMs = defaultTimeoutMs,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TimeoutError(`No result after ${timeoutMs} ms.`)),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
