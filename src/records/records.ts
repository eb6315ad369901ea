import type { Permission } from '../access/permissions.ts'
import { checkPreconditions, dependsOnVersion, type Preconditions } from '../http/preconditions.ts'
import { ApiError, invalidInput } from '../model/api-error.ts'
import { notFound, oneRecord } from '../model/collection.ts'
import { isObject } from '../model/json.ts'
import type { Related, Single } from '../store/read/single.ts'
import type { Store } from '../store/store.ts'
import { type DeletionOptions, deleteUnlessReferenced } from './delete.ts'
import { type ErasureResult, erase, type PersonTarget } from './erase.ts'
import type { FieldUpsert } from './match.ts'
import {
  type MergePreconditions,
  type MovedCounts,
  mergePeople,
  type PeopleMerge,
  type PersonType,
} from './merge-people.ts'
import { toPersonDocument, validatePerson } from './person.ts'
import { type Restoration, type RestoreResult, restoreVersion } from './restore.ts'
import { checkSize, checkWithId, type PlannedWrite, planOne, type RecordType } from './rules.ts'
import { type IdempotencyKey, identifyRequest } from './stored-responses.ts'
import {
  type WriteCounts,
  type WriteOptions,
  type WriteParts,
  type WritePlan,
  writeRecords,
} from './write.ts'

type Input = Record<string, unknown>

/** Writes the records of one organisation. Every write checks the credential's permissions. */
export class Records {
  readonly #store: Store
  readonly #geography: D1Database
  readonly #ledger: KVNamespace

  /** `ledger` is the KV namespace of the erasure ledger. */
  constructor(store: Store, geography: D1Database, ledger: KVNamespace) {
    this.#store = store
    this.#geography = geography
    this.#ledger = ledger
  }

  /**
   * Creates a member from values by schema field and returns the id; a repeated request returns the
   * first id. Throws 400 with every validation error, 422 if the key was used with
   * another body.
   */
  async createMember(type: RecordType, input: Input, key?: IdempotencyKey): Promise<string> {
    const id = crypto.randomUUID()
    const { response } = await this.#write(
      type,
      planOne(id, ({ schema, policy }) => {
        const hidden = policy.hiddenFields(schema.fields)
        const person = validatePerson('members', schema, input, {}, hidden)
        if ('errors' in person) throw invalidInput(person.errors)
        if (Object.keys(person.value).length === 0) throw noValues()
        return checkSize(id, toPersonDocument('members', id, person.value))
      }),
      { permissions: ['create-members'], key },
    )
    return response.id
  }

  /** Creates a record and returns its id: a new one if the input has none. Throws 409 if the id is in use. */
  async create(type: RecordType, input: Input, key?: IdempotencyKey): Promise<string> {
    const { [type.id]: inputId = crypto.randomUUID(), ...values } = input
    const id = String(inputId)
    const { response } = await this.#write(
      type,
      planOne(id, ({ rules }) => {
        if (type.kind && Object.keys(values).length === 0) throw noValues()
        return rules.check({ ...values, [type.id]: inputId })
      }),
      {
        permissions: ['write'],
        key,
        requiresSameVersion: true,
        check(stored) {
          if (!stored.has(id)) return
          throw new ApiError(
            'CONFLICT',
            `${oneRecord(type.singular)} with this ${type.id} already exists.`,
          )
        },
      },
    )
    return response.id
  }

  /** Replaces the record with this id, or creates it. Throws 412 if a precondition fails. */
  async replace(
    type: RecordType,
    id: string,
    input: Input,
    preconditions: Preconditions,
    related: Related,
  ): Promise<{ created: boolean; single: Single }> {
    const { isNew, single } = await this.#write(
      type,
      planOne(id, ({ rules }, before) =>
        checkWithId(type, id, input, (record) => rules.check(record, before)),
      ),
      {
        permissions: readAndWrite,
        requiresSameVersion: dependsOnVersion(preconditions),
        overwrite: true,
        mustExist: preconditions.match === '*',
        check: (stored) => checkPreconditions(preconditions, stored.get(id)?.version),
        related,
      },
    )
    return { created: isNew, single }
  }

  /**
   * Replaces the record that has the input's value of the field `by`, or creates it, and returns its
   * id. Throws 409 if several records have the value, 412 if a precondition fails.
   */
  async replaceBy(
    type: RecordType,
    by: string,
    input: Input,
    preconditions: Preconditions,
    related: Related,
  ): Promise<{ id: string; created: boolean; single: Single }> {
    const upsert: FieldUpsert = {
      by,
      inputs: [{ path: '', input }],
      check: (rules, record, before) => rules.check(record, before),
    }
    const { response, isNew, single } = await this.#write(type, upsert, {
      permissions: readAndWrite,
      check(stored) {
        const [record] = stored.values()
        checkPreconditions(preconditions, record?.version)
      },
      related,
    })
    return { id: response.id, created: isNew, single }
  }

  /** Merges a JSON Merge Patch into the record with this id. Throws 404, and 412 if a precondition fails. */
  async merge(
    type: RecordType,
    id: string,
    patch: Input,
    preconditions: Preconditions,
    related: Related,
  ): Promise<Single> {
    const { single } = await this.#write(
      type,
      planOne(id, ({ rules }, before = {}) =>
        checkWithId(type, id, patch, (record) => rules.merge(before, record)),
      ),
      {
        permissions: readAndWrite,
        requiresSameVersion: dependsOnVersion(preconditions),
        patch,
        check(stored) {
          if (!stored.has(id)) throw notFound(type)
          checkPreconditions(preconditions, stored.get(id)?.version)
        },
        related,
      },
    )
    return single
  }

  /**
   * Merges each record into the stored one with its id, or with its value of the field `by`, or
   * creates it; all or none.
   */
  async upsertBatch(
    type: RecordType,
    inputs: readonly unknown[],
    { key, by, questions, source }: BatchOptions = {},
  ): Promise<WriteCounts> {
    const items = inputs.map((input, index) => ({ path: `${type.plural}.${index}.`, input }))
    const plan: WritePlan =
      by === undefined
        ? items.map(({ path, input }): PlannedWrite => {
            const id = isObject(input) ? input[type.id] : undefined
            const check: PlannedWrite['check'] = ({ rules }, before) => rules.merge(before, input)
            return { id: typeof id === 'string' ? id : '', path, check }
          })
        : { by, inputs: items, check: (rules, patch, before) => rules.merge(before, patch) }
    // With `by`, the errors depend on stored values.
    const permissions: readonly Permission[] = by === undefined ? ['write'] : readAndWrite
    const options = { permissions, key, questions, source, returnsCounts: true }
    const { response } = await this.#write(type, plan, options)
    return JSON.parse(response.text ?? '{}')
  }

  /** Deletes a record. With `cascade`, also deletes dependent records and removes the id from the other referring records. Throws 404, 409 and 412. */
  async delete(
    type: RecordType,
    id: string,
    { match }: Preconditions,
    options: DeletionOptions,
  ): Promise<void> {
    await deleteUnlessReferenced(this.#store, type, id, { match, ...options })
  }

  /** Merges another person into one and returns the number of moved records by collection. */
  async mergePeople(
    type: PersonType,
    merge: PeopleMerge,
    preconditions: MergePreconditions,
    key?: IdempotencyKey,
  ): Promise<MovedCounts> {
    const request = await identifyRequest(this.#store, key)
    return mergePeople(this.destination, type, merge, { ...preconditions, request })
  }

  /** Restores a previous version of a record, with `cascade` also the other records of the same operation. */
  restore(
    type: RecordType,
    restoration: Restoration,
    preconditions: Preconditions,
  ): Promise<RestoreResult> {
    return restoreVersion(this.destination, type, restoration, preconditions)
  }

  /** Erases a person and everything that identifies them. */
  erase(target: PersonTarget, id: string, preconditions: Preconditions): Promise<ErasureResult> {
    return erase(this.#store, this.#ledger, target, id, preconditions)
  }

  get destination(): WriteParts {
    return { store: this.#store, geography: this.#geography }
  }

  async #write(
    type: RecordType,
    plan: WritePlan,
    { key, ...options }: Omit<WriteOptions, 'request'> & { key?: IdempotencyKey | undefined },
  ) {
    const request = await identifyRequest(this.#store, key)
    return writeRecords(this.destination, type, plan, { ...options, request })
  }
}

type BatchOptions = Pick<WriteOptions, 'questions' | 'source'> & {
  key?: IdempotencyKey | undefined
  by?: string | undefined
}

/** The permissions to write a record and receive it in the response. */
const readAndWrite: readonly Permission[] = ['write', 'read']

const noValues = () => new ApiError('BAD_REQUEST', 'The body gives no field a value.')
