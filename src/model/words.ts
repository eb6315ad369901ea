/** A name of the contract as words: `survey-responses` and `create-members` without their hyphens. */
export const words = (name: string) => name.replaceAll('-', ' ')
