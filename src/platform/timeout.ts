const defaultTimeoutMs = 10_000

/** What `answer` gives; throws, as a database out of reach does, when that takes longer than a deadline in milliseconds. */
export async function withTimeout<Result>(
  promise: PromiseLike<Result>,
  timeoutMs = defaultTimeoutMs,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('D1_ERROR: timed out here.')), timeoutMs)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
