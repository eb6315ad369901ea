import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { localClaims } from '../../src/auth/local.ts'

const algorithm = 'ES256'

/** The public half of this machine's signing key as a JSON Web Key Set, for the local Worker's LOCAL_JWKS; the key is made in `folder` at first. */
export async function readLocalJwks(folder: string): Promise<string> {
  const { d: _secret, ...publicKey } = await ensureSigningKey(folder)
  return JSON.stringify({ keys: [publicKey] })
}

/** A token for `user`, an e-mail address, that the Worker of this machine accepts for twelve hours. */
export async function createLocalToken(folder: string, user: string): Promise<string> {
  const key = await ensureSigningKey(folder)
  return new SignJWT({ email: user, email_verified: true })
    .setProtectedHeader({ alg: algorithm, kid: key.kid ?? '' })
    .setIssuer(localClaims.issuer)
    .setAudience(localClaims.audience)
    .setSubject(user)
    .setIssuedAt()
    .setExpirationTime('12h')
    .sign(await importJWK(key, algorithm))
}

async function ensureSigningKey(folder: string): Promise<JWK> {
  const file = join(folder, 'local-signing-key.json')
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const newKey = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: algorithm }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Two commands may start at once: the first to write decides, and both read what it wrote.
  await writeFile(file, JSON.stringify(newKey), { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  return JSON.parse(await readFile(file, 'utf8'))
}
