import { ApiError } from '../model/api-error.ts'
import { sentence } from '../model/checked.ts'
import type { Schema, Values } from '../model/schema.ts'
import { isConnectionLost } from '../platform/outage.ts'
import { sha256 } from '../platform/sha256.ts'
import { isRemembered, type Made, type Repeatable } from '../store/create.ts'
import type { Unique } from '../store/owners.ts'
import type { Store } from '../store/store.ts'
import { asWritten } from './bounds.ts'
import { enriched } from './enriched.ts'
import { checkPerson, personRecord } from './person.ts'

/** A request that may be sent again: its Idempotency-Key, and its body as it came. */
export type Repeat = { key: string; body: string }

/** Writes the records of one organisation, for as long as the credential its store was opened with holds. */
export class Records {
  readonly #store: Store
  readonly #geography: D1Database

  constructor(store: Store, geography: D1Database) {
    this.#store = store
    this.#geography = geography
  }

  /** Creates a member of values by schema field and gives the id (decisions 6); a repeated request gets the first id again. Throws 400 with every fault, 422 for a key that was used with another body. */
  async createMember(given: Record<string, unknown>, repeat?: Repeat): Promise<string> {
    const request = repeat && (await this.#repeatable(repeat))
    const { schema: kept, before } = await this.#store.creation('members', request)
    if (request && before) return madeBefore(request, before)
    const schema: Schema = kept ? JSON.parse(kept) : { name: '', fields: [] }
    const id = crypto.randomUUID()
    const [record = {}] = await enriched(this.#geography, schema, [checked(id, schema, given)])
    const member = { id, document: JSON.stringify(record) }
    try {
      const unique = uniqueValues(schema, record)
      const { taken } = await this.#store.createMember(member, unique, request)
      const faults = taken.map((field) => ({ field, reason: 'is the value of another member.' }))
      if (faults.length > 0) throw new ApiError('BAD_REQUEST', sentence(faults))
      return id
    } catch (error) {
      // The same request was answered in the meantime, and its member may have the unique values; or
      // this one was and only its answer is lost.
      const mayBeAnswered =
        isRemembered(error) || isConnectionLost(error) || error instanceof ApiError
      if (!request || !mayBeAnswered) throw error
      const { before } = await this.#store.creation('members', request)
      if (!before) throw error
      return madeBefore(request, before)
    }
  }

  async #repeatable({ key, body }: Repeat): Promise<Repeatable> {
    const { who, organisationId } = this.#store
    return {
      id: await sha256(JSON.stringify([who, organisationId, key])),
      body: await sha256(body),
    }
  }
}

/** What is to be kept; 400 when there is nothing or something is wrong with it. */
function checked(id: string, schema: Schema, given: Record<string, unknown>): Values {
  const person = checkPerson('members', schema, given)
  if ('faults' in person) throw new ApiError('BAD_REQUEST', sentence(person.faults))
  if (Object.keys(person.kept).length === 0) {
    throw new ApiError('BAD_REQUEST', 'The body gives no field a value.')
  }
  const record = personRecord('members', id, person.kept)
  const written = asWritten(id, record)
  if ('faults' in written) throw new ApiError('BAD_REQUEST', sentence(written.faults))
  return record
}

const uniqueValues = ({ fields }: Schema, values: Values): Unique[] =>
  fields.flatMap(({ id: field, type }) =>
    type === 'uniqueId' && Object.hasOwn(values, field)
      ? [{ field, value: String(values[field]) }]
      : [],
  )

function madeBefore({ body }: Repeatable, before: string): string {
  const made: Made = JSON.parse(before)
  if (made.body === body) return made.memberId
  throw new ApiError('UNPROCESSABLE', 'Idempotency-Key: was used with another body.')
}
