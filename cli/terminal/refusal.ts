/** Why a command was not carried out, in a sentence for the operator. */
export class CommandError extends Error {}
