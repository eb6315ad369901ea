const defaultTimeoutMs = 10_000

/** Awaits a promise. After the timeout it throws the error of an unavailable database. */
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
