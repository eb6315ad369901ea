const emailPattern = /^[!-?A-~]+@[!-?A-~]+$/

/** Returns whether a text is an e-mail address of printable ASCII. */
export const isEmailAddress = (text: string) => text.length <= 254 && emailPattern.test(text)

/** Returns an e-mail address with A to Z in lower case. Other letters stay: folding would equate some, such as the Kelvin sign and k. */
export const normaliseEmail = (email: string) =>
  email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
