/** Lets the other requests of this process go on, in the midst of long work. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))
