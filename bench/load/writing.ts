import { expectError, expectText } from './check-response.ts'
import type { LoadRequest, LoadResponse } from './connection.ts'
import type { Credential } from './credentials.ts'
import type { Properties } from './demo-records.ts'
import { formatSingle, listShapes } from './expected-responses.ts'
import type { Organisation } from './organisations.ts'
import type { Random } from './random.ts'
import type { Step } from './step.ts'

/** A collection under write: one request at a time, so that every response is known in advance. */
type Lane = {
  collection: string
  models: readonly Properties[]
  steps: number
  busy: boolean
  /** The last response with a generated id. */
  created?: string
}

/** A request of a write test, and the state after its response. */
type WriteStep = Pick<Step, 'method' | 'path' | 'type' | 'findError'> & {
  /** The route in the report, if the path does not show it. */
  route?: string
  body?: object
  key?: string
  done?: (response: LoadResponse) => void
}

/** The text in records of each collection that is changed. */
const changed: Record<string, string> = {
  members: 'Full Name',
  volunteers: 'Full Name',
  partners: 'Organisation Name',
  'survey-responses': 'creator',
  'case-notes': 'content',
  'grant-applications': 'title',
  disbursements: 'notes',
}

/** Unique fields. */
const unique = ['Membership Number', 'Charity Number']

/** An organisation with records that are created, replaced, patched and deleted, while a follower copies it by the change feed. */
export class Writing {
  readonly #organisation: Organisation
  readonly #credential: Credential
  readonly #lanes: Lane[]
  /** The records and the follower's copy, as JSON texts by collection and id. */
  readonly #stored = new Map<string, string>()
  readonly #copy = new Map<string, string>()
  #after = ''
  #isFollowed = false

  constructor(organisation: Organisation, credential: Credential) {
    this.#organisation = organisation
    this.#credential = credential
    const { forms = [] } = organisation.records
    const schemaForms = new Set(forms.filter((form) => form.schemaForm).map((form) => form.formId))
    this.#lanes = Object.entries(organisation.records).map(([collection, records]) => {
      for (const record of records) this.#keep(collection, record)
      // A response to a schema form would also fill the fields of the people it is linked to.
      const models = records
        .filter(({ surveyId }) => !schemaForms.has(surveyId))
        .map((record) => withoutUnique(record))
      return { collection, models, steps: 0, busy: false }
    })
  }

  /** Returns the next step of the collection with the fewest steps, or of the follower; undefined if all are busy. */
  next(random: Random, prefersChanges: boolean): Step | undefined {
    const free = this.#lanes.filter(({ busy }) => !busy)
    const [lane] = free.toSorted((one, other) => one.steps - other.steps)
    if (lane && !prefersChanges) return this.#step(lane)
    return this.#isFollowed ? undefined : this.#follow(random.integer(1, 100))
  }

  /** Returns the errors of the follower's copy at the end, after it has caught up. */
  async findLostOrTorn(send: (request: LoadRequest) => Promise<LoadResponse>): Promise<string[]> {
    const errors: string[] = []
    for (let more = true; more; ) {
      const { findError, ...question } = this.#follow(250)
      const response = await send({ ...question, headers: this.#credential.headers })
      const found = findError(response)
      if (found) errors.push(`In the end, the changes: ${found}`)
      more = !found && JSON.parse(response.text).more
    }
    const keys = new Set([...this.#stored.keys(), ...this.#copy.keys()])
    const torn = [...keys].filter((key) => this.#stored.get(key) !== this.#copy.get(key))
    return [...errors, ...torn.map((key) => `In the end, a follower has another ${key}.`)]
  }

  #step(lane: Lane): Step {
    const { collection } = lane
    const steps = this.#buildSteps(lane)
    const { body, key, done, findError, ...step } = steps[lane.steps % steps.length] as WriteStep
    const [, , below = ''] = step.path.split('/')
    lane.steps++
    lane.busy = true
    return {
      ...step,
      route:
        step.route ?? `${step.method} /${collection}${below && `/:${listShapes[collection]?.id}`}`,
      body: body && JSON.stringify(body),
      headers: key ? { 'Idempotency-Key': key } : {},
      credential: this.#credential,
      onResponse: () => {
        lane.busy = false
      },
      findError: (response) => {
        const found = findError(response)
        if (!found) done?.(response)
        return found
      },
    }
  }

  /** The steps for two records of a collection, and for one with a generated id: its creation is sent twice. */
  #buildSteps(lane: Lane): WriteStep[] {
    const { collection, models, steps } = lane
    const { plural = '', singular = '', id = '' } = listShapes[collection] ?? {}
    const isPerson = ['members', 'volunteers', 'partners'].includes(collection)
    const isBooking = collection === 'bookings'
    const isForm = collection === 'forms'
    const isFund = collection === 'funds'
    const round = Math.floor(steps / (isForm || isFund ? 14 : isPerson || isBooking ? 11 : 10))
    const model = models[round % models.length] ?? {}
    const record = (name: string) => ({ ...model, [id]: `load-${round}-${name}` })
    const text = { [changed[collection] ?? 'name']: `Changed ${round}` }
    const [one, two] = [record('one'), record('two')]
    const path = `/${collection}/${one[id]}`
    const respond = (record: Properties) => formatSingle(this.#organisation, collection, record)
    const keep = (record: Properties) => () => this.#keep(collection, record)
    const { [id]: _, ...created } = model
    const creation: WriteStep = {
      method: 'POST',
      path: `/${collection}`,
      body: created,
      key: `${collection} ${round}`,
      findError: ({ status, text }) => (status === 201 ? undefined : `status ${status}: ${text}`),
      done: ({ text }) => {
        lane.created = text
        this.#keep(collection, { ...model, [id]: JSON.parse(text)[singular].id })
      },
    }
    const merge: WriteStep = {
      method: 'POST',
      path: `${path}/$merge`,
      route: `POST /${collection}/:${id}/$merge`,
      body: { from: two[id] },
      findError: expectText(200, JSON.stringify({ [singular]: { id: one[id] }, moved: {} })),
      done: () => this.#stored.delete(`${collection} ${two[id]}`),
    }
    const { bookingId, orgStatus, attending, memberId } = one
    const attendance: WriteStep = {
      method: 'POST',
      path: `${path}/$attendance`,
      route: 'POST /bookings/:bookingId/$attendance',
      body: { came: null },
      findError: expectText(
        200,
        JSON.stringify({ booking: { bookingId, orgStatus, attending, memberId }, notMarked: 0 }),
      ),
    }
    const unknownImport = { path: '/imports/999999999', findError: expectError(404) }
    const readImports: WriteStep[] = [
      {
        method: 'GET',
        path: '/imports',
        route: 'GET /imports',
        findError: ({ status, text }) =>
          status === 200 && JSON.parse(text).imports.length > 0
            ? undefined
            : `status ${status}: ${text}`,
      },
      // There is no import with this id.
      { ...unknownImport, method: 'GET', route: 'GET /imports/:importId' },
      {
        ...unknownImport,
        method: 'POST',
        path: `${unknownImport.path}/$undo`,
        route: 'POST /imports/:importId/$undo',
      },
    ]
    const local = { url: 'https://localhost/', collections: ['events'], changes: ['created'] }
    const webhooks: WriteStep[] = [
      {
        method: 'GET',
        path: '/webhooks',
        route: 'GET /webhooks',
        findError: expectText(200, '{"webhooks":[]}'),
      },
      {
        method: 'GET',
        path: '/webhooks/$sample?collection=events',
        route: 'GET /webhooks/$sample',
        findError: ({ status, text }) =>
          status === 200 && JSON.parse(text).type === 'event.created'
            ? undefined
            : `status ${status}: ${text}`,
      },
      {
        method: 'POST',
        path: '/webhooks',
        route: 'POST /webhooks',
        body: local,
        findError: expectError(400),
      },
      {
        method: 'DELETE',
        path: '/webhooks/unknown',
        route: 'DELETE /webhooks/:webhookId',
        findError: expectError(404),
      },
    ]
    const formLinks: WriteStep = {
      method: 'POST',
      path: `${path}/$links`,
      route: 'POST /forms/:formId/$links',
      body: { withoutPerson: 1 },
      findError: ({ status, text }) => (status === 409 ? undefined : `status ${status}: ${text}`),
    }
    return [
      {
        method: 'PUT',
        path,
        body: one,
        findError: expectText(201, () => respond(one)),
        done: keep(one),
      },
      {
        method: 'PATCH',
        path,
        body: text,
        findError: expectText(200, () => respond({ ...one, ...text })),
        done: keep({ ...one, ...text }),
      },
      {
        method: 'PATCH',
        path: `/${collection}`,
        body: { [plural]: [one, two] },
        key: `${collection} list ${round}`,
        findError: expectText(200, '{"created":1,"updated":1,"unchanged":0}'),
        done: () => {
          for (const each of [one, two]) this.#keep(collection, each)
        },
      },
      creation,
      { ...creation, findError: expectText(201, lane.created ?? '') },
      ...(isPerson ? [merge] : []),
      {
        method: 'PUT',
        path: `/${collection}?$by=${id}`,
        body: one,
        findError: expectText(200, () => respond(one)),
      },
      {
        method: 'POST',
        path: `/imports?collection=${collection}`,
        route: 'POST /imports',
        body: [one],
        findError: expectText(
          200,
          '{"created":0,"updated":0,"unchanged":1,"rejected":0,"errors":[]}',
        ),
      },
      // Takes back a mark that there is not, so that events keep their expected `attendees`.
      ...(isBooking ? [attendance] : []),
      // Refused, because the public pages are off.
      ...(isForm ? [formLinks, ...readImports] : []),
      ...(isFund ? webhooks : []),
      {
        method: 'GET',
        path: `${path}/$versions`,
        route: `GET /${collection}/:${id}/$versions`,
        findError: ({ status, text }) =>
          status === 200 && JSON.parse(text).versions.length > 0
            ? undefined
            : `status ${status}: ${text}`,
      },
      // Refused: the organisation's first version is none of this record.
      {
        method: 'POST',
        path: `${path}/$restore`,
        route: `POST /${collection}/:${id}/$restore`,
        body: { version: 1 },
        findError: ({ status, text }) => (status === 400 ? undefined : `status ${status}: ${text}`),
      },
      {
        method: 'DELETE',
        path,
        type: 'none',
        findError: expectText(204, ''),
        done: () => this.#stored.delete(`${collection} ${one[id]}`),
      },
    ]
  }

  #follow(limit: number): Step {
    this.#isFollowed = true
    return {
      route: 'GET /changes',
      path: `/changes?$include=records&limit=${limit}${this.#after}`,
      credential: this.#credential,
      onResponse: () => {
        this.#isFollowed = false
      },
      findError: ({ status, text }) => {
        if (status !== 200) return `status ${status}: ${text}`
        const { changes, next }: { changes: Change[]; next: string } = JSON.parse(text)
        if (changes.some(({ version }, index) => version <= (changes[index - 1]?.version ?? 0)))
          return 'versions that do not grow'
        for (const { collection, id, change, record } of changes) {
          const key = `${collection} ${id}`
          if (change === 'deleted') this.#copy.delete(key)
          else this.#copy.set(key, JSON.stringify(record))
        }
        this.#after = `&$after=${next}`
        return undefined
      },
    }
  }

  #keep(collection: string, record: Properties): void {
    const response = JSON.parse(formatSingle(this.#organisation, collection, record))
    const [stored] = Object.values(response)
    this.#stored.set(
      `${collection} ${record[listShapes[collection]?.id ?? '']}`,
      JSON.stringify(stored),
    )
  }
}

type Change = { collection: string; id: string; change: string; version: number; record?: object }

const withoutUnique = (record: Properties): Properties =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !unique.includes(name)))
