/** How long requests took and how they were answered, by route. */
export class Figures {
  readonly #times = new Map<string, number[]>()
  readonly #statuses = new Map<string, Map<number, number>>()

  add(route: string, took: number, status: number): void {
    const times = this.#times.get(route) ?? []
    const statuses = this.#statuses.get(route) ?? new Map()
    times.push(took)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    this.#times.set(route, times)
    this.#statuses.set(route, statuses)
  }

  get requests(): number {
    return [...this.#times.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** A line for each route, and one for all: how many, the percentiles of their milliseconds, the statuses. */
  lines(): string[] {
    const routes = [...this.#times].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return [
      line('route', 'requests', 'p50 ms', 'p95 ms', 'p99 ms', 'most ms', 'statuses'),
      ...routes.map(([route, times]) => measured(route, times, this.#statuses.get(route))),
      measured('all', [...this.#times.values()].flat()),
    ]
  }
}

function measured(route: string, times: number[], statuses = new Map<number, number>()): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1)
  const answered = [...statuses].toSorted(([one], [other]) => one - other)
  return line(
    route,
    String(times.length),
    ...[0.5, 0.95, 0.99, 1].map(at),
    answered.map(([status, count]) => `${status}: ${count}`).join(', '),
  )
}

const line = (route: string, requests: string, ...rest: string[]) => {
  const statuses = rest.pop()
  return `${route.padEnd(38)}${[requests, ...rest].map((cell) => cell.padStart(10)).join('')}  ${statuses}`.trimEnd()
}
