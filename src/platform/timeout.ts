const defaultTimeoutMs = 10_000

/** A wait for the database or KV that took too long. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** Awaits a promise. After the timeout it throws a TimeoutError. */
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
