import type { Answer, Sent } from './connection.ts'
import type { Credential } from './credentials.ts'
import type { Properties } from './demo-records.ts'
import { is } from './judge.ts'
import type { Organisation } from './organisations.ts'
import type { Question } from './question.ts'
import type { Seeded } from './seeded.ts'
import { shown, single } from './served.ts'

/** A collection under write: one request at a time, so that every response is known in advance. */
type Lane = {
  collection: string
  models: readonly Properties[]
  steps: number
  busy: boolean
  /** The last answer with an id that the service made. */
  created?: string
}

/** A request of a write test, and the state after its response. */
type Step = Pick<Question, 'method' | 'path' | 'type' | 'fault'> & {
  /** The route in the report, if the path does not show it. */
  route?: string
  body?: object
  key?: string
  done?: (answer: Answer) => void
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
  readonly #by: Credential
  readonly #lanes: Lane[]
  /** The records and the follower's copy, as JSON texts by collection and id. */
  readonly #kept = new Map<string, string>()
  readonly #copy = new Map<string, string>()
  #after = ''
  #isFollowed = false

  constructor(organisation: Organisation, by: Credential) {
    this.#organisation = organisation
    this.#by = by
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

  /** The next step of the collection that has come least far, or of the follower; undefined where all are at it. */
  next(random: Seeded, prefersChanges: boolean): Question | undefined {
    const free = this.#lanes.filter(({ busy }) => !busy)
    const [lane] = free.toSorted((one, other) => one.steps - other.steps)
    if (lane && !prefersChanges) return this.#step(lane)
    return this.#isFollowed ? undefined : this.#follow(random.integer(1, 100))
  }

  /** Returns the errors of the follower's copy at the end, after it has caught up. */
  async lostOrTorn(ask: (sent: Sent) => Promise<Answer>): Promise<string[]> {
    const errors: string[] = []
    for (let more = true; more; ) {
      const { fault, ...question } = this.#follow(250)
      const answer = await ask({ ...question, headers: this.#by.headers })
      const found = fault(answer)
      if (found) errors.push(`In the end, the changes: ${found}`)
      more = !found && JSON.parse(answer.text).more
    }
    const keys = new Set([...this.#kept.keys(), ...this.#copy.keys()])
    const torn = [...keys].filter((key) => this.#kept.get(key) !== this.#copy.get(key))
    return [...errors, ...torn.map((key) => `In the end, a follower has another ${key}.`)]
  }

  #step(lane: Lane): Question {
    const { collection } = lane
    const steps = this.#stepsOf(lane)
    const { body, key, done, fault, ...step } = steps[lane.steps % steps.length] as Step
    const [, , below = ''] = step.path.split('/')
    lane.steps++
    lane.busy = true
    return {
      ...step,
      route: step.route ?? `${step.method} /${collection}${below && `/:${shown[collection]?.id}`}`,
      body: body && JSON.stringify(body),
      headers: key ? { 'Idempotency-Key': key } : {},
      by: this.#by,
      answered: () => {
        lane.busy = false
      },
      fault: (answer) => {
        const found = fault(answer)
        if (!found) done?.(answer)
        return found
      },
    }
  }

  /** The steps for two records of a collection, and for one with a generated id: its creation is sent twice. */
  #stepsOf(lane: Lane): Step[] {
    const { collection, models, steps } = lane
    const { plural = '', singular = '', id = '' } = shown[collection] ?? {}
    const round = Math.floor(steps / 9)
    const model = models[round % models.length] ?? {}
    const record = (name: string) => ({ ...model, [id]: `load-${round}-${name}` })
    const text = { [changed[collection] ?? 'name']: `Changed ${round}` }
    const [one, two] = [record('one'), record('two')]
    const path = `/${collection}/${one[id]}`
    const told = (record: Properties) => single(this.#organisation, collection, record)
    const keep = (record: Properties) => () => this.#keep(collection, record)
    const { [id]: _, ...created } = model
    const creation: Step = {
      method: 'POST',
      path: `/${collection}`,
      body: created,
      key: `${collection} ${round}`,
      fault: ({ status, text }) => (status === 201 ? undefined : `status ${status}: ${text}`),
      done: ({ text }) => {
        lane.created = text
        this.#keep(collection, { ...model, [id]: JSON.parse(text)[singular].id })
      },
    }
    return [
      { method: 'PUT', path, body: one, fault: is(201, () => told(one)), done: keep(one) },
      {
        method: 'PATCH',
        path,
        body: text,
        fault: is(200, () => told({ ...one, ...text })),
        done: keep({ ...one, ...text }),
      },
      {
        method: 'PATCH',
        path: `/${collection}`,
        body: { [plural]: [one, two] },
        key: `${collection} list ${round}`,
        fault: is(200, '{"created":1,"updated":1,"unchanged":0}'),
        done: () => {
          for (const each of [one, two]) this.#keep(collection, each)
        },
      },
      creation,
      { ...creation, fault: is(201, lane.created ?? '') },
      { method: 'PUT', path, body: one, fault: is(200, () => told(one)) },
      {
        method: 'POST',
        path: `/imports?collection=${collection}`,
        route: 'POST /imports',
        body: [one],
        fault: is(200, '{"created":0,"updated":0,"unchanged":1,"rejected":0,"errors":[]}'),
      },
      { method: 'GET', path, fault: is(200, () => told(one)) },
      {
        method: 'DELETE',
        path,
        type: 'none',
        fault: is(204, ''),
        done: () => this.#kept.delete(`${collection} ${one[id]}`),
      },
    ]
  }

  #follow(limit: number): Question {
    this.#isFollowed = true
    return {
      route: 'GET /changes',
      path: `/changes?$include=records&limit=${limit}${this.#after}`,
      by: this.#by,
      answered: () => {
        this.#isFollowed = false
      },
      fault: ({ status, text }) => {
        if (status !== 200) return `status ${status}: ${text}`
        const { changes, next }: { changes: Change[]; next: string } = JSON.parse(text)
        if (changes.some(({ version }, place) => version <= (changes[place - 1]?.version ?? 0)))
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
    const told = JSON.parse(single(this.#organisation, collection, record))
    const [own] = Object.values(told)
    this.#kept.set(`${collection} ${record[shown[collection]?.id ?? '']}`, JSON.stringify(own))
  }
}

type Change = { collection: string; id: string; change: string; version: number; record?: object }

const withoutUnique = (record: Properties): Properties =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !unique.includes(name)))
