/** Durations and statuses of requests, by route. */
export class RequestStatistics {
  readonly #times = new Map<string, number[]>()
  readonly #statuses = new Map<string, Map<number, number>>()

  add(route: string, durationMs: number, status: number): void {
    const times = this.#times.get(route) ?? []
    const statuses = this.#statuses.get(route) ?? new Map()
    times.push(durationMs)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    this.#times.set(route, times)
    this.#statuses.set(route, statuses)
  }

  get requests(): number {
    return [...this.#times.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** Returns a line per route and one for all: requests, percentiles in milliseconds, statuses. */
  lines(): string[] {
    const routes = [...this.#times].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return [
      formatLine('route', 'requests', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms', 'statuses'),
      ...routes.map(([route, times]) => formatRoute(route, times, this.#statuses.get(route))),
      formatRoute('all', [...this.#times.values()].flat()),
    ]
  }
}

function formatRoute(route: string, times: number[], statuses = new Map<number, number>()): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1)
  const counts = [...statuses].toSorted(([one], [other]) => one - other)
  return formatLine(
    route,
    String(times.length),
    ...[0.5, 0.95, 0.99, 1].map(at),
    counts.map(([status, count]) => `${status}: ${count}`).join(', '),
  )
}

const formatLine = (route: string, requests: string, ...rest: string[]) => {
  const statuses = rest.pop()
  return `${route.padEnd(38)}${[requests, ...rest].map((cell) => cell.padStart(10)).join('')}  ${statuses}`.trimEnd()
}
