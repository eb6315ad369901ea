const encoder = new TextEncoder()

/** Each byte as two hexadecimal digits. */
const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(text))
  let digits = ''
  for (const byte of new Uint8Array(digest)) digits += hexadecimal[byte]
  return digits
}
