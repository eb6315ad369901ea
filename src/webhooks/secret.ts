import { fromBase64, toBase64 } from '../platform/base64.ts'

const prefix = 'whsec_'
const secretBytes = 32
const nonceBytes = 12

/** A new secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in Base64. */
export const generateSecret = () =>
  prefix + toBase64(crypto.getRandomValues(new Uint8Array(secretBytes)))

/** A new WEBHOOK_KEY: 32 random bytes in Base64. */
export const generateWebhookKey = () => toBase64(crypto.getRandomValues(new Uint8Array(32)))

export const isWebhookKey = (text: string) => /^[A-Za-z0-9+/]{43}=$/.test(text)

/** Encrypts a secret by AES-GCM with WEBHOOK_KEY, bound to the id of its webhook. */
export async function encryptSecret(
  webhookKey: string,
  id: string,
  secret: string,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const key = await importKey(webhookKey)
  const text = new TextEncoder().encode(secret)
  const encrypted = new Uint8Array(await crypto.subtle.encrypt(algorithm(iv, id), key, text))
  return toBase64(new Uint8Array([...iv, ...encrypted]))
}

/** Decrypts a secret. Throws if the key or the webhook differs. */
export async function decryptSecret(
  webhookKey: string,
  id: string,
  encrypted: string,
): Promise<string> {
  const bytes = fromBase64(encrypted)
  const key = await importKey(webhookKey)
  const [iv, text] = [bytes.slice(0, nonceBytes), bytes.slice(nonceBytes)]
  const decrypted = await crypto.subtle.decrypt(algorithm(iv, id), key, text)
  return new TextDecoder().decode(decrypted)
}

/** The header `webhook-signature` of Standard Webhooks, with a signature for each secret. */
export async function signMessage(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Promise<string> {
  const text = new TextEncoder().encode(`${id}.${seconds}.${body}`)
  const signatures = secrets.map(async (secret) => {
    const key = await crypto.subtle.importKey(
      'raw',
      fromBase64(secret.slice(prefix.length)),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    )
    return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, text)))}`
  })
  return (await Promise.all(signatures)).join(' ')
}

const algorithm = (iv: Uint8Array<ArrayBuffer>, id: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(id),
})

const importKey = (text: string) =>
  crypto.subtle.importKey('raw', fromBase64(text), 'AES-GCM', false, ['encrypt', 'decrypt'])
