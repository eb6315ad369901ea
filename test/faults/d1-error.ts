/** An error as D1 throws it: its cause has the message without the prefix. */
export const errorOfD1 = (message: string) =>
  new Error(`D1_ERROR: ${message}`, { cause: new Error(message) })
