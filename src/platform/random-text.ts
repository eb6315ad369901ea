/** A random text of characters from an alphabet, each with the same chance. */
export function randomText(alphabet: string, length: number): string {
  // Higher bytes would favour the first characters.
  const usableBytes = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < usableBytes && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
