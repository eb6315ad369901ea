const emailPattern = /^[!-?A-~]+@[!-?A-~]+$/

/** Whether a person can be added by this text: an e-mail address of printable ASCII. */
export const isEmailAddress = (text: string) => text.length <= 254 && emailPattern.test(text)

/** An e-mail address in the case it is compared in. Only A to Z are folded: of other letters several become one, such as the Kelvin sign and k. */
export const normaliseEmail = (email: string) =>
  email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
