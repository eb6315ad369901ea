const deadline = 10_000

/** What `answer` gives; throws, as a database out of reach does, when that takes longer than a deadline in milliseconds. */
export async function inTime<Answer>(
  answer: PromiseLike<Answer>,
  milliseconds = deadline,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('D1_ERROR: timed out here.')), milliseconds)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
