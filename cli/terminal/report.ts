/** An error with a sentence for the operator as its message. */
export class CommandError extends Error {}

/** The result of a command: an object for `--json`, lines for people, and whether everything succeeded. */
export type Report = { json: object; lines: readonly string[]; done?: boolean }
