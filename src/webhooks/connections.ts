// An invocation of a Worker has six connections that wait for an answer; further requests wait in the
// platform, unseen. The sixth is left to the database and the queue.
export const maxConnections = 5

type Waiting = { organisationId: string; start: () => void }

/** The connections of one invocation, shared equally by the organisations that it sends for. */
export class Connections {
  readonly #open = new Map<string, number>()
  #total = 0
  #waiting: Waiting[] = []

  constructor(organisations: Iterable<string>) {
    for (const organisationId of organisations) this.#open.set(organisationId, 0)
  }

  /** The organisations that wait for a connection, each once. */
  get waiting(): readonly string[] {
    return [...new Set(this.#waiting.map(({ organisationId }) => organisationId))]
  }

  /** Opens a connection as soon as the organisation's share allows; those that wait take turns. */
  open(organisationId: string): Promise<void> {
    return new Promise((start) => {
      this.#waiting.push({ organisationId, start })
      this.#startWaiting()
    })
  }

  /** Opens at most `wanted` more connections, none of which anybody waits for, and returns their number. */
  openMore(organisationId: string, wanted: number): number {
    let opened = 0
    while (opened < wanted && this.#waiting.length === 0 && this.#mayOpen(organisationId)) {
      this.#add(organisationId, 1)
      opened++
    }
    return opened
  }

  close(organisationId: string, count = 1): void {
    this.#add(organisationId, -count)
    this.#startWaiting()
  }

  /** Divides the share of an organisation that has nothing left to send among the others. */
  leave(organisationId: string): void {
    this.#open.delete(organisationId)
    this.#startWaiting()
  }

  #startWaiting(): void {
    this.#waiting = this.#waiting.filter(({ organisationId, start }) => {
      if (!this.#mayOpen(organisationId)) return true
      this.#add(organisationId, 1)
      start()
      return false
    })
  }

  #mayOpen(organisationId: string): boolean {
    const share = Math.max(1, Math.floor(maxConnections / this.#open.size))
    return this.#total < maxConnections && this.#openBy(organisationId) < share
  }

  #add(organisationId: string, count: number): void {
    this.#open.set(organisationId, this.#openBy(organisationId) + count)
    this.#total += count
  }

  #openBy(organisationId: string): number {
    return this.#open.get(organisationId) ?? 0
  }
}
