import type { Credential } from './credentials.ts'
import type { Properties } from './demo-records.ts'
import type { Organisation } from './organisations.ts'
import { item } from './served.ts'

/** A member to create: the values, the credential, the Idempotency-Key and the result so far. */
export type NewMember = {
  values: Properties
  body: string
  by: Credential
  idempotencyKey: string
  /** How many requests to create them have no answer yet. */
  pending: number
  id?: string
}

const number = 'Membership Number'

/** The members created in one organisation, and what must be read of them: each from its creation on, exactly once, in one place. */
export class NewMembers {
  readonly organisation: Organisation
  readonly #before: readonly string[]
  readonly #given = new Map<unknown, NewMember>()
  /** Where each is listed, by id and the other way round, as far as that was seen. */
  readonly #places = new Map<string, number>()
  readonly #ids: string[] = []

  constructor(organisation: Organisation) {
    this.organisation = organisation
    const members = organisation.records.members ?? []
    this.#before = members.map((member) => item(organisation, 'members', member))
  }

  /** A member to be created, unlike every other. */
  next(by: Credential): NewMember {
    const place = this.#given.size + 1
    const { id } = this.organisation
    const values = {
      'Full Name': `Newcomer ${place} of ${id}`,
      [number]: `NEW-${place}`,
      'Household Size': place,
      Interests: ['Cooking', 'Music'],
      'Photo Consent': place % 2 === 0,
    }
    const body = JSON.stringify(values)
    const member = { values, body, by, idempotencyKey: values[number], pending: 0 }
    this.#given.set(values[number], member)
    return member
  }

  /** Members with a response to their creation. */
  get created(): NewMember[] {
    return this.#all.filter(({ id }) => id !== undefined)
  }

  /** Members who are or may yet be created. */
  get wanted(): NewMember[] {
    return this.#all.filter((member) => !isRefused(member))
  }

  /** How many members there are at least and at most: a request that has no answer yet may have created one. */
  get counts(): { least: number; most: number } {
    const before = this.#before.length
    return { least: before + this.created.length, most: before + this.wanted.length }
  }

  /** Returns the error of a page of members, requested when there were at least `least`. */
  faultOfPage(text: string, { offset, limit }: { offset: number; limit: number }, least: number) {
    const { members }: { members: Properties[] } = JSON.parse(text)
    const page = members.map((member) => JSON.stringify(member))
    if (text !== `{"members":[${page}],"offset":${offset},"limit":${limit}}`) {
      return `not a page from ${offset} of ${limit}: ${text.slice(-100)}`
    }
    const held = (count: number) => Math.max(0, Math.min(limit, count - offset))
    const [fewest, most] = [held(least), held(this.counts.most)]
    if (page.length < fewest || page.length > most) {
      return `${page.length} members, not ${fewest} to ${most}`
    }
    for (const [index, shown] of page.entries()) {
      const place = offset + index
      const before = this.#before[place]
      const fault =
        before === undefined
          ? this.#faultAt(place - this.#before.length, members[index] ?? {}, shown)
          : shown !== before && 'not who was there before'
      if (fault) return `place ${place}: ${fault}`
    }
    return undefined
  }

  #faultAt(place: number, member: Properties, shown: string): string | undefined {
    const id = String(member.memberId)
    const fields = (member.fields ?? []) as { key: string; value: unknown }[]
    const given = this.#given.get(fields.find(({ key }) => key === number)?.value)
    if (!given) return `nobody who was created: ${shown.slice(0, 200)}`
    if (isRefused(given)) return 'a member rejected on creation'
    given.id ??= id
    if (given.id !== id) return `${id} has the values of ${given.id}`
    if (shown !== item(this.organisation, 'members', { memberId: id, ...given.values })) {
      return `other values: ${shown.slice(0, 200)}`
    }
    const [seen, elsewhere = place] = [this.#ids[place] ?? id, this.#places.get(id)]
    if (seen !== id) return `${id}, where ${seen} was`
    if (elsewhere !== place) return `${id} is at ${elsewhere} too`
    this.#ids[place] = id
    this.#places.set(id, place)
    return undefined
  }

  get #all(): NewMember[] {
    return [...this.#given.values()]
  }
}

const isRefused = ({ id, pending }: NewMember) => id === undefined && pending === 0
