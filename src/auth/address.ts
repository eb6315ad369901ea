const emailPattern = /^[!-?A-~]+@[!-?A-~]+$/

/** Whether a text is an e-mail address of printable ASCII. */
export const isEmailAddress = (text: string) => text.length <= 254 && emailPattern.test(text)

/** The error for a text that is no such address. */
export const invalidEmailMessage = 'must be an address in ASCII, such as ana@example.org.'

/** Lowercases A to Z in an e-mail address. Unicode lowercasing would equate different letters, such as the Kelvin sign and k. */
export const normaliseSignInEmail = (email: string) =>
  email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
