/** Yields to the event loop during long work. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))
