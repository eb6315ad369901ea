/** Why a command was not carried out, in a sentence for the operator. */
export class Refusal extends Error {}
