/** Why a command failed, in a sentence for the operator. */
export class CommandError extends Error {}
