/** Lines that say how to use a setup code. `origin` is the address of the service, or '' if it is unknown. */
export const describeSetUpCode = (code: string, origin: string): string[] => [
  `Setup code: ${code}`,
  `Enter it at ${origin}/dashboard/set-up. It works once, within 24 hours.`,
]
