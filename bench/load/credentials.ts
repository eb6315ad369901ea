import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createKey, deleteKey, reactivateKey, revokeKey } from '../../src/admin/keys.ts'
import { addUser, removeUser } from '../../src/auth/memberships.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import type { Seeded } from './seeded.ts'

/** A key, or a user's token, for one organisation; and whether it must be good at this moment. */
export type Credential = {
  organisationId: string
  headers: Record<string, string>
  /** The organisation, where it must be named. */
  query: string
  isGood: boolean
  /** Whether it will never be good again. */
  isGone: boolean
  /** Incremented when a change starts and when it ends: odd while one is under way. */
  changes: number
  change: () => Promise<void>
}

type Storage = Pick<Bindings, 'DB' | 'KEYS'>

const by = 'load'
const issuer = 'https://identity.test/'
const audience = 'https://api.test'
const signing = await generateKeyPair('ES256')

/** The variables that make a Worker accept the users' tokens. */
export const variables = {
  AUTH_ISSUER: issuer,
  AUTH_AUDIENCE: audience,
  AUTH_JWKS: JSON.stringify({ keys: [{ ...(await exportJWK(signing.publicKey)), alg: 'ES256' }] }),
}

/** Four keys and two users of an organisation. */
export async function credentialsOf(storage: Storage, organisationId: string) {
  const credentials: Credential[] = []
  for (let place = 0; place < 4; place++) credentials.push(await newKey(storage, organisationId))
  for (const name of ['one', 'another']) {
    credentials.push(await newUser(storage, organisationId, `${name}@example.org`))
  }
  return credentials
}

/** A key that may write and is good all the time. */
export async function writerOf(storage: Storage, organisationId: string): Promise<Credential> {
  const may = ['read', 'write']
  const { key } = await createKey(storage, organisationId, 'load', by, undefined, may)
  return newCredential(organisationId, { 'x-api-key': key }, async () => {})
}

/** A key that each change revokes or makes good again, and the ninth deletes for good. */
async function newKey(storage: Storage, organisationId: string): Promise<Credential> {
  const { id, key } = await createKey(storage, organisationId, 'load', by)
  const act = { organisationId, id, by }
  const credential = newCredential(organisationId, { 'x-api-key': key }, async () => {
    credential.isGone = credential.changes > 2 * 8
    if (credential.isGone) await deleteKey(storage, act)
    else await (credential.isGood ? revokeKey : reactivateKey)(storage.DB, act)
    credential.isGood = !credential.isGood && !credential.isGone
  })
  return credential
}

/** A user, known by the same address and subject in every organisation, whom each change removes or adds again. */
async function newUser(
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
    .sign(signing.privateKey)
  const credential = newCredential(
    organisationId,
    { Authorization: `Bearer ${token}` },
    async () => {
      await (credential.isGood ? removeUser(DB, user) : add())
      credential.isGood = !credential.isGood
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
  isGood: true,
  isGone: false,
  changes: 0,
})

/** Changes one of the credentials; about a quarter of them are not good at any time. */
export async function changeOne(
  storage: Storage,
  credentials: Credential[],
  random: Seeded,
): Promise<void> {
  const [good, bad] = split(credentials.filter(({ isGone }) => !isGone))
  const credential = random.pick(bad.length > good.length / 3 ? bad : good)
  credential.changes++
  await credential.change()
  credential.changes++
  if (credential.isGone) await follow(storage, credentials, credential)
}

/** Replaces a deleted key with a new one; keeps the latest deleted ones, to check that they are rejected. */
async function follow(storage: Storage, credentials: Credential[], { organisationId }: Credential) {
  credentials.push(await newKey(storage, organisationId))
  const gone = credentials.filter(({ isGone }) => isGone)
  const [oldest] = gone
  if (oldest && gone.length > 6) credentials.splice(credentials.indexOf(oldest), 1)
}

function split(credentials: readonly Credential[]): [Credential[], Credential[]] {
  return [credentials.filter(({ isGood }) => isGood), credentials.filter(({ isGood }) => !isGood)]
}
