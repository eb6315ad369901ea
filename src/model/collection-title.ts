/** A name of the contract as words: `survey-responses` and `create-members` without their hyphens. */
export const collectionTitle = (name: string) => name.replaceAll('-', ' ')
