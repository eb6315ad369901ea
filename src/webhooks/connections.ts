// A Worker invocation can wait for six responses at a time; the platform silently queues further
// requests. The sixth connection is for the database and the queue.
export const maxConnections = 5

type Waiter = { organisationId: string; start: () => void }

/** The connections of one invocation, shared equally among its organisations. */
export class Connections {
  readonly #open = new Map<string, number>()
  #total = 0
  #queue: Waiter[] = []

  constructor(organisations: Iterable<string>) {
    for (const organisationId of organisations) this.#open.set(organisationId, 0)
  }

  /** The organisations that wait for a connection, without duplicates. */
  get waitingOrganisations(): readonly string[] {
    return [...new Set(this.#queue.map(({ organisationId }) => organisationId))]
  }

  /** Opens a connection as soon as the organisation's share allows; waiting organisations take turns. */
  open(organisationId: string): Promise<void> {
    return new Promise((start) => {
      this.#queue.push({ organisationId, start })
      this.#startNext()
    })
  }

  /** Opens up to `max` more connections if no organisation waits for one, and returns their number. */
  openMore(organisationId: string, max: number): number {
    let opened = 0
    while (opened < max && this.#queue.length === 0 && this.#canOpen(organisationId)) {
      this.#add(organisationId, 1)
      opened++
    }
    return opened
  }

  close(organisationId: string, count = 1): void {
    this.#add(organisationId, -count)
    this.#startNext()
  }

  /** Removes an organisation with nothing left to send; the others share its connections. */
  leave(organisationId: string): void {
    this.#open.delete(organisationId)
    this.#startNext()
  }

  #startNext(): void {
    this.#queue = this.#queue.filter(({ organisationId, start }) => {
      if (!this.#canOpen(organisationId)) return true
      this.#add(organisationId, 1)
      start()
      return false
    })
  }

  #canOpen(organisationId: string): boolean {
    const share = Math.max(1, Math.floor(maxConnections / this.#open.size))
    return this.#total < maxConnections && this.#countOpen(organisationId) < share
  }

  #add(organisationId: string, count: number): void {
    this.#open.set(organisationId, this.#countOpen(organisationId) + count)
    this.#total += count
  }

  #countOpen(organisationId: string): number {
    return this.#open.get(organisationId) ?? 0
  }
}
