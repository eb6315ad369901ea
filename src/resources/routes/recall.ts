import type { Env } from '../../auth/env.ts'
import type { Pages } from '../../formats/page-memory.ts'
import type { Columns } from '../../store/columns.ts'
import {
  type Found,
  type Known,
  knownVersions,
  type Unchanged,
  versionOf,
} from '../../store/state.ts'
import type { Store } from '../../store/store.ts'

/** Names everything that a page depends on besides the organisation's state. A read updates the access. */
export function pageKey(
  { VERSION }: Env['Bindings'],
  { organisationId, credential }: Store,
  address: string,
  variant: string,
): string {
  const { permissions, restrictions } = credential
  return JSON.stringify([organisationId, permissions, restrictions, VERSION?.id, address, variant])
}

/** An address with the parameters in order. The headers of a page have its origin too. */
export function canonicalAddress(url: string): string {
  const at = url.indexOf('?')
  if (at < 0) return `${url}?`
  const query = url.slice(at + 1)
  // Without decoding, so that two queries with different meanings stay different.
  return `${url.slice(0, at)}?${query.split('&').sort().join('&')}`
}

type Recalled<Content, Read> = {
  /** The key of the page under the access that the read found. */
  key: string
  found: Found<Read> | Unchanged
  /** What the memory has for the state that the read found. */
  remembered: Content | undefined
}

/**
 * Reads a page, unless the memory has its content in the organisation's present state, or the client has it in one of
 * `clientVersions`. The statement that checks the credential also reports the state, and the values of `head`.
 */
export async function recall<Content, Read>(
  pages: Pages<Content>,
  keyOfPage: () => string,
  read: (known: Known<Unchanged>) => Promise<Found<Read> | Unchanged>,
  { clientVersions = [], head }: { clientVersions?: readonly string[]; head?: Columns },
): Promise<Recalled<Content, Read>> {
  const earlier = pages.get(keyOfPage())
  const versions = earlier ? [...clientVersions, versionOf(earlier.state)] : clientVersions
  const found = await read(knownVersions(versions, head))
  const key = keyOfPage()
  const page = pages.get(key)
  return { key, found, remembered: page?.state === found.state ? page.content : undefined }
}
