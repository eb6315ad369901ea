import { Buffer } from 'node:buffer'
import { sha256 } from '../platform/sha256.ts'

/** The form of a link's secret. */
export const secretPattern = /^[0-9a-f]{64}$/

/** A new secret for a link that is sent by mail. */
export const randomSecret = () =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')

export const hashSecret = (secret: string) => sha256(`link:${secret}`)

/**
 * The secret of a person's link from the random token of the form, so that a form that is
 * sent twice gives the same page. Only for pages without mail: who sends the form knows the secret.
 */
export const secretFromToken = (token: string, personHash: string) =>
  sha256(JSON.stringify(['link', token, personHash]))
