import { ApiError } from '../model/api-error.ts'
import { type Checked, sentence } from '../model/checked.ts'
import { isObject } from '../model/is-object.ts'
import type { Right } from '../model/rights.ts'
import { isConnectionLost } from '../platform/outage.ts'
import { sha256 } from '../platform/sha256.ts'
import { isRemembered, type Repeatable } from '../store/idempotency.ts'
import type { Written } from '../store/put.ts'
import type { Beside, Single } from '../store/single.ts'
import type { Store } from '../store/store.ts'
import { asWritten } from './bounds.ts'
import { admit, type Conditions, pinsVersion } from './conditions.ts'
import { erase, type PersonTarget, type WhatBecame } from './erasure.ts'
import type { Destination } from './keep.ts'
import { type Counts, type How, keep, madeBefore } from './keeping.ts'
import { checkPerson, personRecord } from './person.ts'
import { notFound, refuse } from './removal.ts'
import type { Intent, Target } from './target.ts'

/** A request that may be sent again: its Idempotency-Key, and all that it asks as one text. */
export type Repeat = { key: string; body: string }

/** Writes the records of one organisation, for as long as the credential its store was opened with has the right. */
export class Records {
  readonly #store: Store
  readonly #geography: D1Database
  readonly #ledger: KVNamespace

  /** The ledger is KV, where it is noted who was erased. */
  constructor(store: Store, geography: D1Database, ledger: KVNamespace) {
    this.#store = store
    this.#geography = geography
    this.#ledger = ledger
  }

  /** Creates a member of values by schema field and gives the id (decisions 6); a repeated request gets the first id again. Throws 400 with every fault, 422 for a key that was used with another body. */
  async createMember(
    target: Target,
    given: Record<string, unknown>,
    repeat?: Repeat,
  ): Promise<string> {
    const id = crypto.randomUUID()
    const intent: Intent = {
      id,
      place: '',
      check({ schema, view }) {
        const kept = view.keptFields(schema.fields)
        const person = checkPerson('members', schema, given, {}, kept)
        if ('faults' in person)
          throw new ApiError('BAD_REQUEST', sentence(person.faults), {}, person.faults)
        if (Object.keys(person.kept).length === 0) throw nothingGiven()
        return asWritten(id, personRecord('members', id, person.kept))
      },
    }
    const { made } = await this.#keep(target, [intent], { rights: ['create-members'], repeat })
    return made.id
  }

  /** Creates a record, of the id it gives or of a new one, and gives the id. Throws 409 where there is one of that id. */
  async create(target: Target, given: Record<string, unknown>, repeat?: Repeat): Promise<string> {
    const { [target.id]: own = crypto.randomUUID(), ...others } = given
    const id = String(own)
    const taken = new ApiError('CONFLICT', `${target.id}: is that of another ${target.singular}.`)
    const intent: Intent = {
      id,
      place: '',
      check: ({ rules }) => {
        if (target.kind && Object.keys(others).length === 0) throw nothingGiven()
        return rules.check({ ...others, [target.id]: own })
      },
    }
    const { made } = await this.#keep(target, [intent], {
      rights: ['write'],
      repeat,
      isPinned: true,
      admit: (kept) => {
        if (kept.has(id)) throw taken
      },
    })
    return made.id
  }

  /** Puts a record in the place of the one of this id, or creates it. Throws 412 where a condition is not met. */
  async replace(
    target: Target,
    id: string,
    given: Record<string, unknown>,
    conditions: Conditions,
    sought: Beside,
  ): Promise<{ created: boolean; single: Single }> {
    const intent: Intent = {
      id,
      place: '',
      check: ({ rules }, before) => checkedAs(target, id, given, (it) => rules.check(it, before)),
    }
    const { isNew, single } = await this.#keep(target, [intent], {
      rights: shown,
      isPinned: pinsVersion(conditions),
      overwrite: true,
      mustExist: conditions.match === '*',
      admit: (kept) => admit(conditions, kept.get(id)?.version),
      sought,
    })
    return { created: isNew, single }
  }

  /** Merges a JSON Merge Patch into the record of this id. Throws 404 where there is none, 412 where a condition is not met. */
  async merge(
    target: Target,
    id: string,
    patch: Record<string, unknown>,
    conditions: Conditions,
    sought: Beside,
  ): Promise<Single> {
    const intent: Intent = {
      id,
      place: '',
      check: ({ rules }, before = {}) =>
        checkedAs(target, id, patch, (it) => rules.merge(before, it)),
    }
    const { single } = await this.#keep(target, [intent], {
      rights: shown,
      isPinned: pinsVersion(conditions),
      patch,
      admit: (kept) => {
        if (!kept.has(id)) throw notFound(target)
        admit(conditions, kept.get(id)?.version)
      },
      sought,
    })
    return single
  }

  /** Merges each record as a JSON Merge Patch into the one of its id, or creates it; all or none. */
  async mergeAll(target: Target, given: readonly unknown[], repeat?: Repeat): Promise<Counts> {
    const intents = given.map((record, place): Intent => {
      const id = isObject(record) ? record[target.id] : undefined
      return {
        id: typeof id === 'string' ? id : '',
        place: `${target.plural}.${place}.`,
        check: ({ rules }, before) => rules.merge(before, record),
      }
    })
    const { made } = await this.#keep(target, intents, {
      rights: ['write'],
      repeat,
      tellsCounts: true,
    })
    return JSON.parse(made.answer ?? '{}')
  }

  /** Deletes a record; with `cascade` along with those that make no sense without it, and takes it out of those that do. Throws 404, 409 and 412. */
  async remove(target: Target, id: string, { match }: Conditions, cascade: boolean): Promise<void> {
    const versions = match === '*' ? undefined : match
    const found = await this.#store.remove({ collection: target.name, id, versions, cascade })
    refuse(target, found, { match, cascade, isPart: this.#store.view.isPart })
  }

  /** Erases a person (additions 5), with all that is kept of them. */
  erase(target: PersonTarget, id: string, conditions: Conditions): Promise<WhatBecame> {
    return erase(this.#store, this.#ledger, target, id, conditions)
  }

  /** Where records go. */
  get destination(): Destination {
    return { store: this.#store, geography: this.#geography }
  }

  /** What a request was answered with before; undefined when it is new. Throws 422 for a key that was used with another body. */
  async answeredBefore(collection: string, repeat: Repeat): Promise<string | undefined> {
    const request = await this.#repeatable(repeat)
    const { before } = await this.#store.before({
      collection,
      ids: [],
      request,
      rights: ['write'],
    })
    return before === undefined ? undefined : (madeBefore(request, before).made.answer ?? undefined)
  }

  /** Notes what a request that has been done is answered with, and gives that: the same again where it was answered meanwhile. */
  async answer(collection: string, repeat: Repeat, answer: string): Promise<string> {
    const repeatable = await this.#repeatable(repeat)
    try {
      await this.#store.write({
        ...{ collection, rights: ['write'], put: [], versions: [], unique: [], named: [] },
        request: { repeatable, made: { id: '', answer } },
      })
      return answer
    } catch (error) {
      if (!isRemembered(error) && !isConnectionLost(error)) throw error
      return (await this.answeredBefore(collection, repeat)) ?? answer
    }
  }

  async #keep(
    target: Target,
    intents: readonly Intent[],
    { repeat, ...how }: Omit<How, 'request'> & { repeat?: Repeat | undefined },
  ) {
    const request = repeat && (await this.#repeatable(repeat))
    return keep(this.destination, target, intents, { ...how, request })
  }

  async #repeatable({ key, body }: Repeat): Promise<Repeatable> {
    const { who, organisationId } = this.#store
    return {
      id: await sha256(JSON.stringify([who, organisationId, key])),
      body: await sha256(body),
    }
  }
}

/** What it takes to write a record and be answered with it. */
const shown: readonly Right[] = ['write', 'read']

/** What a record becomes of what is given for the id of its path. */
function checkedAs(
  { id: idName }: Target,
  id: string,
  given: Record<string, unknown>,
  check: (given: Record<string, unknown>) => Checked<Written>,
): Checked<Written> {
  if (!Object.hasOwn(given, idName) || given[idName] === id)
    return check({ ...given, [idName]: id })
  const checked = check({ ...given, [idName]: id })
  const fault = { field: idName, reason: 'must be the one in the path.' }
  return { faults: [fault, ...('faults' in checked ? checked.faults : [])] }
}

const nothingGiven = () => new ApiError('BAD_REQUEST', 'The body gives no field a value.')
