import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createKey, deleteKey } from '../../src/admin/keys.ts'
import { addUser, removeUser } from '../../src/admin/users.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { reactivateKey, revokeKey } from '../../src/store/settings/keys.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import type { Random } from './random.ts'

/** A key or a user's token for one organisation, and whether it is valid at the moment. */
export type Credential = {
  organisationId: string
  headers: Record<string, string>
  /** The organisation parameter, if the credential needs one. */
  query: string
  isValid: boolean
  /** Whether it is invalid for good. */
  isDeleted: boolean
  /** Incremented when a change starts and when it ends: odd while one is under way. */
  changes: number
  change: () => Promise<void>
}

type Storage = Pick<Bindings, 'DB' | 'KEYS'>

const by = 'load'
const issuer = 'https://identity.test/'
const audience = 'https://api.test'
const signingKey = await generateKeyPair('ES256')

/** The variables that make a Worker accept the users' tokens. */
export const variables = {
  AUTH_ISSUER: issuer,
  AUTH_AUDIENCE: audience,
  AUTH_JWKS: JSON.stringify({
    keys: [{ ...(await exportJWK(signingKey.publicKey)), alg: 'ES256' }],
  }),
}

/** Creates four keys and two users of an organisation. */
export async function createCredentials(storage: Storage, organisationId: string) {
  const credentials: Credential[] = []
  for (let index = 0; index < 4; index++)
    credentials.push(await createChangingKey(storage, organisationId))
  for (const name of ['one', 'another']) {
    credentials.push(await createChangingUser(storage, organisationId, `${name}@example.org`))
  }
  return credentials
}

/** Creates a key with write permission that stays valid. */
export async function createWriter(storage: Storage, organisationId: string): Promise<Credential> {
  const store = administeredStore(storage.DB, organisationId, by)
  const permissions = ['read', 'write', 'manage-webhooks']
  const { key } = await createKey(storage, store, { name: 'load', permissions })
  return newCredential(organisationId, { 'x-api-key': key }, async () => {})
}

/** Creates a key: each change revokes or reactivates it, and the ninth deletes it. */
async function createChangingKey(storage: Storage, organisationId: string): Promise<Credential> {
  const store = administeredStore(storage.DB, organisationId, by)
  const { id, key } = await createKey(storage, store, { name: 'load' })
  const credential = newCredential(organisationId, { 'x-api-key': key }, async () => {
    credential.isDeleted = credential.changes > 2 * 8
    if (credential.isDeleted) await deleteKey(storage, store, id)
    else await (credential.isValid ? revokeKey : reactivateKey)(store, id)
    credential.isValid = !credential.isValid && !credential.isDeleted
  })
  return credential
}

/** Creates a user with the same address and subject in every organisation; each change removes or adds them. */
async function createChangingUser(
  { DB }: Storage,
  organisationId: string,
  email: string,
): Promise<Credential> {
  const user = { organisationId, email, by }
  const add = () => addUser(DB, { ...user, role: 'editor' })
  await add()
  const token = await new SignJWT({ email, email_verified: true })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(email)
    .setExpirationTime('12h')
    .sign(signingKey.privateKey)
  const credential = newCredential(
    organisationId,
    { Authorization: `Bearer ${token}` },
    async () => {
      await (credential.isValid ? removeUser(DB, user) : add())
      credential.isValid = !credential.isValid
    },
    `organisationId=${organisationId}`,
  )
  return credential
}

const newCredential = (
  organisationId: string,
  headers: Record<string, string>,
  change: () => Promise<void>,
  query = '',
): Credential => ({
  organisationId,
  headers,
  query,
  change,
  isValid: true,
  isDeleted: false,
  changes: 0,
})

/** Changes one of the credentials; about a quarter of them are invalid at any time. */
export async function changeCredential(
  storage: Storage,
  credentials: Credential[],
  random: Random,
): Promise<void> {
  const [valid, invalid] = split(credentials.filter(({ isDeleted }) => !isDeleted))
  const credential = random.pick(invalid.length > valid.length / 3 ? invalid : valid)
  credential.changes++
  await credential.change()
  credential.changes++
  if (credential.isDeleted) await replaceDeletedKey(storage, credentials, credential)
}

/** Replaces a deleted key with a new one; keeps the latest deleted ones, to check that they are rejected. */
async function replaceDeletedKey(
  storage: Storage,
  credentials: Credential[],
  { organisationId }: Credential,
) {
  credentials.push(await createChangingKey(storage, organisationId))
  const deleted = credentials.filter(({ isDeleted }) => isDeleted)
  const [oldest] = deleted
  if (oldest && deleted.length > 6) credentials.splice(credentials.indexOf(oldest), 1)
}

function split(credentials: readonly Credential[]): [Credential[], Credential[]] {
  return [
    credentials.filter(({ isValid }) => isValid),
    credentials.filter(({ isValid }) => !isValid),
  ]
}
