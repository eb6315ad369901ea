import { type Kind, kinds } from '../model/schema.ts'
import type { Bindings } from '../platform/bindings.ts'
import { erase, type WhatBecame } from '../records/erasure.ts'
import { type Erased, erasedPeople } from '../records/ledger.ts'
import type { Erasable } from '../store/erasable.ts'
import { operatorStore } from './store.ts'

/** A person of an organisation. */
export type Person = { organisationId: string; kind: Kind; id: string }

/** What there is of a person to erase; undefined for nothing. */
export async function findErasable(
  { DB }: Pick<Bindings, 'DB'>,
  { organisationId, kind, id }: Person,
): Promise<Erasable | undefined> {
  const found = await operatorStore(DB, organisationId).erasable({ kind, id })
  return found.version === null && found.namedBy.length === 0 ? undefined : found
}

/** Erases a person, whatever there is of them and however many steps that takes. */
export const erasePerson = (
  { DB, KEYS }: Pick<Bindings, 'DB' | 'KEYS'>,
  { organisationId, kind, id }: Person,
): Promise<WhatBecame> =>
  erase(
    operatorStore(DB, organisationId),
    KEYS,
    { kind, ...kinds[kind] },
    id,
    {},
    Number.POSITIVE_INFINITY,
  )

/** What became of an entry of the ledger: nothing was there, it was erased again, or it was left, as the record was created after the erasure. */
export type Replayed = Erased & { became: 'nothing' | 'erased' | 'left' }

/**
 * Erases again whom the ledger names and a restore has brought back. Whoever was created after they
 * were erased may have come back themselves, and stays unless `later` ones are meant too.
 */
export async function* replayErasures(
  bindings: Pick<Bindings, 'DB' | 'KEYS'>,
  organisationId: string | undefined,
  later: boolean,
): AsyncGenerator<Replayed> {
  for await (const entry of erasedPeople(bindings.KEYS, organisationId)) {
    const person = { ...entry, kind: entry.collection }
    const found = await findErasable(bindings, person)
    if (!found) yield { ...entry, became: 'nothing' }
    else if (found.created !== null && found.created > entry.at && !later)
      yield { ...entry, became: 'left' }
    else {
      await erasePerson(bindings, person)
      yield { ...entry, became: 'erased' }
    }
  }
}
