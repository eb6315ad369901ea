import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { createDestination } from '../../src/import/destination/destination.ts'
import { importRecords } from '../../src/import/import-records.ts'
import { textSource } from '../../src/import/source/source.ts'
import { loadTarget } from '../../src/import/targets/load-target.ts'
import { RunningImport } from '../../src/store/imports/running-import.ts'
import { createKey, revokeKey } from '../keys.ts'
import { newOrganisation, request } from '../organisation.ts'
import { runs } from '../runs.ts'
import { rows } from '../store/whole-index.ts'

const collections = ['members', 'events', 'case-notes'] as const
const idNames = { members: 'memberId', events: 'eventId', 'case-notes': 'noteId' }

/** What a writer writes about: a record, or two. */
type Input = { collection: (typeof collections)[number]; ids: string[]; text: string }

type Organisation = Awaited<ReturnType<typeof newOrganisation>>

const documentOf = ({ collection, text }: Input, id: string) => ({
  [idNames[collection]]: id,
  [collection === 'case-notes' ? 'content' : 'name']: text,
})

const one = 'WHERE organisation_id = ? AND collection = ? AND id = ?'

/** Every way to change records. Add new ones here. */
const writers: Record<string, (organisation: Organisation, input: Input) => Promise<unknown>> = {
  put: ({ put }, input) =>
    put(
      input.collection,
      input.ids.map((id) => ({ id, document: documentOf(input, id) })),
    ),

  create: ({ get, key }, { text }) =>
    get('/members', {
      method: 'POST',
      headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: text }),
    }),

  import: async ({ id: organisationId }, input) => {
    const target = await loadTarget(input.collection, organisationId, schemas)
    if (!target) throw new Error('Unknown collection.')
    const text = input.ids.map((id) => JSON.stringify(documentOf(input, id))).join('\n')
    const source = textSource(`${input.collection}.ndjson`, text)
    const to = { store: operatorStore(env.DB, organisationId), geography: env.GEOGRAPHY }
    const run = new RunningImport(to.store, { collection: target.collection })
    const destination = createDestination(to, target.collection, run)
    expect((await importRecords(source, target, destination)).errors).toEqual([])
  },

  'insert by SQL': async ({ id }, input) => {
    for (const record of input.ids) {
      await rows(
        `INSERT INTO records (organisation_id, collection, id, ordinal, document, updated)
        SELECT ?1, ?2, ?3, coalesce(max(last), 0) + 1, ?4, '' FROM terms
        WHERE organisation_id = ?1 AND collection = ?2 AND field = '' AND value = x''
        ON CONFLICT DO NOTHING`,
        ...[id, input.collection, record, JSON.stringify(documentOf(input, record))],
      )
    }
  },

  'patch by SQL': ({ id }, { collection, ids, text }) =>
    rows(
      `UPDATE records SET document = json_set(document, '$.name', ?) ${one}`,
      ...[text, id, collection, ids[0]],
    ),

  'delete by SQL': ({ id }, { collection, ids }) =>
    rows(`DELETE FROM records ${one}`, id, collection, ids[0]),

  'empty a collection': ({ id }, { collection }) =>
    rows('DELETE FROM records WHERE organisation_id = ? AND collection = ?', id, collection),

  'months pass': ({ id }) =>
    rows(`UPDATE deletions SET at = '2020-01-01T00:00:00.000Z' WHERE organisation_id = ?`, id),
}

const fields = [{ id: 'name', name: 'name', label: 'Name', type: 'text' as const, order: 0 }]
const schemas = { members: { name: 'A Schema', fields } }

type Change = {
  collection: string
  id: string
  change: string
  version: number
  record?: unknown
}
type Page = { changes: Change[]; next: string; more: boolean }

/** The options of a follower: the start, the page size, the collections, and whether to include records. */
type Manner = {
  begins: 'with everything' | 'with a copy'
  limit: number
  collections: readonly string[]
  records: boolean
}

/** A client with a copy of an organisation's records: version and document by collection and id. */
class Follower {
  readonly #organisation: Organisation
  readonly #manner: Manner
  copy = new Map<string, string>()
  #cursor: string | undefined
  /** The cursor that is found after a restart: not always the last. */
  #savedCursor: string | undefined

  constructor(organisation: Organisation, manner: Manner) {
    this.#organisation = organisation
    this.#manner = manner
  }

  async begin() {
    if (this.#manner.begins === 'with everything') return
    const { next } = await this.#ask<Page>('$after=latest')
    this.#savedCursor = this.#cursor = next
    this.copy = await this.truth()
  }

  keep() {
    this.#savedCursor = this.#cursor
  }

  restart() {
    this.#cursor = this.#savedCursor
    if (this.#cursor === undefined) this.copy.clear()
  }

  /** Applies a page of the feed and returns whether there are more. */
  async read(): Promise<boolean> {
    const { limit } = this.#manner
    const after = this.#cursor === undefined ? '' : `$after=${this.#cursor}`
    const page = await this.#ask<Page | { type: string }>(`limit=${limit}&${after}`)
    if ('type' in page) {
      expect([page.type, this.#cursor]).toEqual(['GONE', expect.any(String)])
      this.#savedCursor = this.#cursor = undefined
      this.copy.clear()
      return true
    }
    const { changes } = page
    const versions = changes.map(({ version }) => version)
    expect(versions).toEqual([...new Set(versions)].toSorted((one, other) => one - other))
    expect(new Set(changes.map(named)).size).toBe(changes.length)
    expect(changes.length).toBeLessThanOrEqual(limit)
    for (const it of changes) {
      if (it.change === 'deleted') this.copy.delete(named(it))
      else this.copy.set(named(it), JSON.stringify([it.version, this.#shows(it) && it.record]))
    }
    this.#cursor = page.next
    return page.more
  }

  /** What the copy must be. */
  async truth() {
    const found = await rows(
      'SELECT collection, id, version, document FROM records WHERE organisation_id = ?',
      this.#organisation.id,
    )
    return new Map(
      (found as (Change & { document: string })[])
        .filter(({ collection }) => this.#manner.collections.includes(collection))
        .map((it) => [
          named(it),
          JSON.stringify([it.version, this.#shows(it) && JSON.parse(it.document)]),
        ]),
    )
  }

  #shows({ collection }: Change) {
    return this.#manner.records && collection !== 'members'
  }

  async #ask<Body>(query: string) {
    const { collections: of, records } = this.#manner
    const chosen = of.length < collections.length ? `&collections=${of}` : ''
    const shown = records ? '&$include=records' : ''
    return this.#organisation.json<Body>(`/changes?${query}${chosen}${shown}`)
  }
}

const named = ({ collection, id }: { collection: string; id: string }) => `${collection} ${id}`

type Step =
  | { write: string; input: Input; reader?: number | undefined }
  | { read: number }
  | { keep: number }
  | { restart: number }
  | { join: Manner }
  | { revoke: true }

const input = fc.record({
  collection: fc.constantFrom(...collections),
  ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'A', "'"), { minLength: 1, maxLength: 3 }),
  text: fc.constantFrom('x', 'y', 'z'),
})
const manner: fc.Arbitrary<Manner> = fc.record({
  begins: fc.constantFrom('with everything', 'with a copy'),
  limit: fc.integer({ min: 1, max: 4 }),
  collections: fc.subarray([...collections], { minLength: 1 }),
  records: fc.boolean(),
})
const someone = fc.nat({ max: 2 })

const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    ...[1, 2, 3].map(() =>
      fc.record({
        write: fc.constantFrom(...Object.keys(writers)),
        input,
        // Who reads while it is written, if anybody.
        reader: fc.option(someone, { nil: undefined }),
      }),
    ),
    ...[1, 2, 3].map(() => fc.record({ read: someone })),
    fc.record({ keep: someone }),
    fc.record({ restart: someone }),
    fc.record({ join: manner }),
    fc.record({ revoke: fc.constant(true as const) }),
  ),
  { minLength: 10, maxLength: 40 },
)

test('a follower of the change feed ends with a complete copy', async () => {
  await fc.assert(
    fc.asyncProperty(manner, steps, async (first, steps) => {
      const organisation = await keyed(await newOrganisation())
      await organisation.schema('members', fields)
      const followers = [new Follower(organisation, first)]
      for (const step of steps) {
        const follower = (offset: number) => followers[offset % followers.length]
        if ('write' in step) {
          const reading = step.reader === undefined ? undefined : follower(step.reader)?.read()
          await Promise.all([writers[step.write]?.(organisation, step.input), reading])
        } else if ('read' in step) await follower(step.read)?.read()
        else if ('keep' in step) follower(step.keep)?.keep()
        else if ('restart' in step) follower(step.restart)?.restart()
        else if ('revoke' in step) await organisation.changeKey()
        else {
          const joined = new Follower(organisation, step.join)
          await joined.begin()
          followers.push(joined)
        }
      }
      for (const follower of followers) {
        while (await follower.read());
        expect(sorted(follower.copy)).toEqual(sorted(await follower.truth()))
      }
    }),
    runs(8),
  )
})

const sorted = (copy: Map<string, string>) =>
  [...copy].toSorted(([one], [other]) => (one < other ? -1 : 1))

/** The organisation, with a key that may change while it is used. */
async function keyed(organisation: Organisation) {
  const used = { ...organisation, changeKey }
  let { keyId } = organisation
  return used

  async function changeKey() {
    const { id: organisationId } = organisation
    const made = await createKey(env, organisationId, 'test', 'a test')
    await revokeKey(env.DB, { organisationId, id: keyId, by: 'a test' })
    expect((await used.get('/changes')).status).toBe(401)
    keyId = made.id
    used.key = made.key
    used.get = (path, init) => request(path, { headers: { 'x-api-key': made.key }, ...init })
    used.json = async <Body>(path: string) => (await used.get(path)).json<Body>()
  }
}
