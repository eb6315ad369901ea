/** Why a command failed, in a sentence for the operator. */
export class CommandError extends Error {}

/** The result of a command: an object for `--json`, lines for people, and whether everything succeeded. */
export type Report = { json: object; lines: readonly string[]; done?: boolean }
