import type { Credential } from './credentials.ts'
import type { Properties } from './demo-records.ts'
import { formatItem } from './expected-responses.ts'
import type { Organisation } from './organisations.ts'

/** A member to create: the values, the credential, the Idempotency-Key and the result so far. */
export type NewMember = {
  values: Properties
  body: string
  credential: Credential
  idempotencyKey: string
  /** The number of requests to create them without a response yet. */
  pending: number
  id?: string
}

const number = 'Membership Number'

/** The members created in one organisation. From its creation on, each must appear exactly once, at one index. */
export class NewMembers {
  readonly organisation: Organisation
  readonly #before: readonly string[]
  readonly #byNumber = new Map<unknown, NewMember>()
  /** The index of each member in the list by id, and the reverse, as far as known. */
  readonly #indexes = new Map<string, number>()
  readonly #ids: string[] = []

  constructor(organisation: Organisation) {
    this.organisation = organisation
    const members = organisation.records.members ?? []
    this.#before = members.map((member) => formatItem(organisation, 'members', member))
  }

  /** Returns a new member to create. */
  next(credential: Credential): NewMember {
    const index = this.#byNumber.size + 1
    const { id } = this.organisation
    const values = {
      'Full Name': `Newcomer ${index} of ${id}`,
      [number]: `NEW-${index}`,
      'Household Size': index,
      Interests: ['Cooking', 'Music'],
      'Photo Consent': index % 2 === 0,
    }
    const body = JSON.stringify(values)
    const member = { values, body, credential, idempotencyKey: values[number], pending: 0 }
    this.#byNumber.set(values[number], member)
    return member
  }

  /** Members with a response to their creation. */
  get created(): NewMember[] {
    return this.#all.filter(({ id }) => id !== undefined)
  }

  /** Members who exist or may still be created. */
  get expected(): NewMember[] {
    return this.#all.filter((member) => !isRejected(member))
  }

  /** The minimum and maximum number of members: a request without a response may have created one. */
  get counts(): { min: number; max: number } {
    const before = this.#before.length
    return { min: before + this.created.length, max: before + this.expected.length }
  }

  /** Returns the error of a page of members, requested when there were at least `minMembers`. */
  findPageError(
    text: string,
    { offset, limit }: { offset: number; limit: number },
    minMembers: number,
  ) {
    const { members }: { members: Properties[] } = JSON.parse(text)
    const page = members.map((member) => JSON.stringify(member))
    if (text !== `{"members":[${page}],"offset":${offset},"limit":${limit}}`) {
      return `not a page from ${offset} of ${limit}: ${text.slice(-100)}`
    }
    const countOnPage = (count: number) => Math.max(0, Math.min(limit, count - offset))
    const [min, max] = [countOnPage(minMembers), countOnPage(this.counts.max)]
    if (page.length < min || page.length > max) {
      return `${page.length} members, not ${min} to ${max}`
    }
    for (const [position, text] of page.entries()) {
      const index = offset + position
      const before = this.#before[index]
      const error =
        before === undefined
          ? this.#findErrorAt(index - this.#before.length, members[position] ?? {}, text)
          : text !== before && 'not the same member as before'
      if (error) return `index ${index}: ${error}`
    }
    return undefined
  }

  #findErrorAt(index: number, record: Properties, text: string): string | undefined {
    const id = String(record.memberId)
    const fields = (record.fields ?? []) as { key: string; value: unknown }[]
    const created = this.#byNumber.get(fields.find(({ key }) => key === number)?.value)
    if (!created) return `an unknown member: ${text.slice(0, 200)}`
    if (isRejected(created)) return 'a member rejected on creation'
    created.id ??= id
    if (created.id !== id) return `${id} has the values of ${created.id}`
    if (text !== formatItem(this.organisation, 'members', { memberId: id, ...created.values })) {
      return `other values: ${text.slice(0, 200)}`
    }
    const [knownId, knownIndex = index] = [this.#ids[index] ?? id, this.#indexes.get(id)]
    if (knownId !== id) return `${id}, where ${knownId} was`
    if (knownIndex !== index) return `${id} is at ${knownIndex} too`
    this.#ids[index] = id
    this.#indexes.set(id, index)
    return undefined
  }

  get #all(): NewMember[] {
    return [...this.#byNumber.values()]
  }
}

const isRejected = ({ id, pending }: NewMember) => id === undefined && pending === 0
