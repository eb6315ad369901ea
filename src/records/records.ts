import type { Permission } from '../access/permissions.ts'
import { checkPreconditions, type Preconditions, pinsVersion } from '../http/preconditions.ts'
import { ApiError, invalidInput } from '../model/api-error.ts'
import { oneRecord } from '../model/collection.ts'
import { isObject } from '../model/json.ts'
import { isConnectionLost } from '../platform/outage.ts'
import { sha256 } from '../platform/sha256.ts'
import type { Related, Single } from '../store/read/single.ts'
import type { Store } from '../store/store.ts'
import { readBeforeWrite } from '../store/write/before-write.ts'
import { deleteRecord } from '../store/write/delete.ts'
import { type IdempotentRequest, isDuplicateRequest } from '../store/write/idempotency.ts'
import { commitWrite } from '../store/write/write.ts'
import { notFound, throwIfNotDeleted } from './delete.ts'
import { type ErasureResult, erase, type PersonTarget } from './erase.ts'
import {
  type MergePreconditions,
  mergePeople,
  type PeopleMerge,
  type PersonType,
} from './merge-people.ts'
import { toPersonDocument, validatePerson } from './person.ts'
import { checkSize } from './size-limits.ts'
import { checkWithId, type PlannedWrite, type RecordType } from './target.ts'
import type { WriteParts } from './write.ts'
import { type Counts, parseStoredResponse, type WriteOptions, writeRecords } from './write.ts'

/** The Idempotency-Key of a request, and the text of the request. */
export type IdempotencyKey = { key: string; body: string }

/** Writes the records of one organisation. Every write checks the credential's permissions. */
export class Records {
  readonly #store: Store
  readonly #geography: D1Database
  readonly #ledger: KVNamespace

  /** The ledger is the KV namespace of erasures. */
  constructor(store: Store, geography: D1Database, ledger: KVNamespace) {
    this.#store = store
    this.#geography = geography
    this.#ledger = ledger
  }

  /**
   * Creates a member from values by schema field and returns the id (decisions 6). A repeated
   * request returns the first id. Throws 400 with every validation error, 422 if the key was used
   * with another body.
   */
  async createMember(
    target: RecordType,
    given: Record<string, unknown>,
    repeat?: IdempotencyKey,
  ): Promise<string> {
    const id = crypto.randomUUID()
    const intent: PlannedWrite = {
      id,
      path: '',
      check({ schema, view }) {
        const kept = view.hiddenFields(schema.fields)
        const person = validatePerson('members', schema, given, {}, kept)
        if ('errors' in person) throw invalidInput(person.errors)
        if (Object.keys(person.value).length === 0) throw nothingGiven()
        return checkSize(id, toPersonDocument('members', id, person.value))
      },
    }
    const { made } = await this.#keep(target, [intent], { permissions: ['create-members'], repeat })
    return made.id
  }

  /** Creates a record with the given or a new id, and returns the id. Throws 409 if the id is in use. */
  async create(
    target: RecordType,
    given: Record<string, unknown>,
    repeat?: IdempotencyKey,
  ): Promise<string> {
    const { [target.id]: own = crypto.randomUUID(), ...others } = given
    const id = String(own)
    const taken = new ApiError(
      'CONFLICT',
      `${oneRecord(target.singular)} with this ${target.id} already exists.`,
    )
    const intent: PlannedWrite = {
      id,
      path: '',
      check: ({ rules }) => {
        if (target.kind && Object.keys(others).length === 0) throw nothingGiven()
        return rules.check({ ...others, [target.id]: own })
      },
    }
    const { made } = await this.#keep(target, [intent], {
      permissions: ['write'],
      repeat,
      isPinned: true,
      check: (kept) => {
        if (kept.has(id)) throw taken
      },
    })
    return made.id
  }

  /** Replaces the record with this id, or creates it. Throws 412 if a precondition fails. */
  async replace(
    target: RecordType,
    id: string,
    given: Record<string, unknown>,
    conditions: Preconditions,
    sought: Related,
  ): Promise<{ created: boolean; single: Single }> {
    const intent: PlannedWrite = {
      id,
      path: '',
      check: ({ rules }, before) => checkWithId(target, id, given, (it) => rules.check(it, before)),
    }
    const { isNew, single } = await this.#keep(target, [intent], {
      permissions: shown,
      isPinned: pinsVersion(conditions),
      overwrite: true,
      mustExist: conditions.match === '*',
      check: (kept) => checkPreconditions(conditions, kept.get(id)?.version),
      sought,
    })
    return { created: isNew, single }
  }

  /** Merges a JSON Merge Patch into the record with this id. Throws 404, and 412 if a precondition fails. */
  async merge(
    target: RecordType,
    id: string,
    patch: Record<string, unknown>,
    conditions: Preconditions,
    sought: Related,
  ): Promise<Single> {
    const intent: PlannedWrite = {
      id,
      path: '',
      check: ({ rules }, before = {}) =>
        checkWithId(target, id, patch, (it) => rules.merge(before, it)),
    }
    const { single } = await this.#keep(target, [intent], {
      permissions: shown,
      isPinned: pinsVersion(conditions),
      patch,
      check: (kept) => {
        if (!kept.has(id)) throw notFound(target)
        checkPreconditions(conditions, kept.get(id)?.version)
      },
      sought,
    })
    return single
  }

  /** Merges each record into the stored one with its id, or creates it; all or none. */
  async upsertBatch(
    target: RecordType,
    given: readonly unknown[],
    repeat?: IdempotencyKey,
  ): Promise<Counts> {
    const intents = given.map((record, place): PlannedWrite => {
      const id = isObject(record) ? record[target.id] : undefined
      return {
        id: typeof id === 'string' ? id : '',
        path: `${target.plural}.${place}.`,
        check: ({ rules }, before) => rules.merge(before, record),
      }
    })
    const { made } = await this.#keep(target, intents, {
      permissions: ['write'],
      repeat,
      tellsCounts: true,
    })
    return JSON.parse(made.answer ?? '{}')
  }

  /** Deletes a record. With `cascade`, also deletes dependent records and removes the id from the other referring records. Throws 404, 409 and 412. */
  async delete(
    target: RecordType,
    id: string,
    { match }: Preconditions,
    cascade: boolean,
  ): Promise<void> {
    const versions = match === '*' ? undefined : match
    const found = await deleteRecord(this.#store, {
      ...{ collection: target.name, id, versions, cascade },
    })
    throwIfNotDeleted(target, found, { match, cascade, isPart: this.#store.policy.isRestricted })
  }

  /** Merges another person into one, and returns how many records of each collection moved. */
  async mergePeople(
    target: PersonType,
    merge: PeopleMerge,
    preconditions: MergePreconditions,
    repeat?: IdempotencyKey,
  ): Promise<Record<string, number>> {
    const request = repeat && (await this.#repeatable(repeat))
    return mergePeople(this.destination, target, merge, { ...preconditions, request })
  }

  /** Erases a person and everything that identifies them (additions 5). */
  erase(target: PersonTarget, id: string, conditions: Preconditions): Promise<ErasureResult> {
    return erase(this.#store, this.#ledger, target, id, conditions)
  }

  get destination(): WriteParts {
    return { store: this.#store, geography: this.#geography }
  }

  /** Returns the stored response to a request, or undefined if the request is new. Throws 422 if the key was used with another body. */
  async storedResponse(collection: string, repeat: IdempotencyKey): Promise<string | undefined> {
    const request = await this.#repeatable(repeat)
    const { response } = await readBeforeWrite(this.#store, {
      collection,
      ids: [],
      request,
      permissions: ['write'],
    })
    return response === undefined
      ? undefined
      : (parseStoredResponse(request, response).made.answer ?? undefined)
  }

  /** Stores the response to a completed request and returns it; if another request stored one first, returns that. */
  async answer(collection: string, repeat: IdempotencyKey, answer: string): Promise<string> {
    const repeatable = await this.#repeatable(repeat)
    try {
      await commitWrite(this.#store, {
        ...{ collection, permissions: ['write'], put: [], versions: [], unique: [], named: [] },
        request: { repeatable, made: { id: '', answer } },
      })
      return answer
    } catch (error) {
      if (!isDuplicateRequest(error) && !isConnectionLost(error)) throw error
      return (await this.storedResponse(collection, repeat)) ?? answer
    }
  }

  async #keep(
    target: RecordType,
    intents: readonly PlannedWrite[],
    { repeat, ...how }: Omit<WriteOptions, 'request'> & { repeat?: IdempotencyKey | undefined },
  ) {
    const request = repeat && (await this.#repeatable(repeat))
    return writeRecords(this.destination, target, intents, { ...how, request })
  }

  async #repeatable({ key, body }: IdempotencyKey): Promise<IdempotentRequest> {
    const { principal, organisationId } = this.#store.credential
    return {
      id: await sha256(JSON.stringify([principal, organisationId, key])),
      body: await sha256(body),
    }
  }
}

/** The permissions to write a record and receive it in the response. */
const shown: readonly Permission[] = ['write', 'read']

const nothingGiven = () => new ApiError('BAD_REQUEST', 'The body gives no field a value.')
