import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { localClaims } from '../../src/auth/local.ts'

const algorithm = 'ES256'

/** This machine's public signing key as a JSON Web Key Set, for the local Worker's LOCAL_JWKS. Creates the key in `folder` if it is missing. */
export async function readLocalJwks(folder: string): Promise<string> {
  const { d: _secret, ...publicKey } = await ensureSigningKey(folder)
  return JSON.stringify({ keys: [publicKey] })
}

/** Creates a token for a user's email address. The local Worker accepts it for twelve hours. */
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
  // Two commands may start at once: the first write wins, and both read the same key.
  await writeFile(file, JSON.stringify(newKey), { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  return JSON.parse(await readFile(file, 'utf8'))
}
