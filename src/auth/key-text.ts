import { randomText } from '../platform/random-text.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6
const keyPattern = new RegExp(`^sk_[${alphabet}]{${randomLength + checksumLength}}$`)

/** A new API key: `sk_`, 190 random bits and a checksum, in base 62. */
export function generateApiKey(): string {
  const random = randomText(alphabet, randomLength)
  return `sk_${random}${checksum(random)}`
}

/** Whether a text has the form and checksum of a key. */
export function isWellFormedKey(text: string): boolean {
  return keyPattern.test(text) && text.endsWith(checksum(text.slice(3, 3 + randomLength)))
}

function checksum(text: string): string {
  let remainder = crc32(text)
  let digits = ''
  for (let index = 0; index < checksumLength; index++) {
    digits = alphabet[remainder % 62] + digits
    remainder = Math.floor(remainder / 62)
  }
  return digits
}

function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
