import { expect } from 'vitest'
import type { FeedPosition } from '../../../src/store/cursors.ts'
import { readChanges } from '../../../src/store/read/changes.ts'
import { attempt } from './faults.ts'
import type { World } from './world.ts'

/** A client that follows the change feed from its start with a copy of every record. */
export class Follower {
  readonly #world: World
  readonly #copy = new Map<string, string>()
  #cursor: FeedPosition | undefined

  constructor(world: World) {
    this.#world = world
  }

  /** Applies pages of the feed, some time after each other. */
  async follow(pages: number): Promise<void> {
    const { simulation } = this.#world
    for (let page = 0; page < pages; page++) {
      await simulation.pause(simulation.random.integer(0, 5000))
      await this.#readPage()
    }
  }

  /** Reads the rest of the feed. Expects the copy to equal the records. */
  async check(): Promise<void> {
    while (await this.#readPage());
    const { home, organisationId } = this.#world
    const records = home.inspect<{ name: string; document: string }>(
      `SELECT collection || ' ' || id AS name, document FROM records WHERE organisation_id = ?`,
      organisationId,
    )
    expect(
      Object.fromEntries(this.#copy),
      'The copy of a client that follows the change feed differs',
    ).toEqual(Object.fromEntries(records.map(({ name, document }) => [name, document])))
  }

  /** Applies a page of the feed. Returns whether more follow. */
  async #readPage(): Promise<boolean> {
    const world = this.#world
    const query = { cursor: this.#cursor, limit: world.simulation.random.integer(1, 5) }
    const page = await attempt(() =>
      world.invoke((env) =>
        readChanges(world.openStore(env), { ...query, records: true }, async () => undefined),
      ),
    )
    if (!page) return true
    for (const { collection, id, change, document } of page.changes) {
      if (change === 'deleted') this.#copy.delete(`${collection} ${id}`)
      else this.#copy.set(`${collection} ${id}`, String(document))
    }
    this.#cursor = page.cursor
    return page.more
  }
}
