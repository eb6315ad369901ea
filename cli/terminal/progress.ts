import { Presets, SingleBar } from 'cli-progress'

/** Shows a progress bar on standard error. Prints nothing if that is not a terminal. */
export function startProgressBar(label: string) {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} }
  const bar = new SingleBar(
    { format: `${label} {bar} {percentage}%`, clearOnComplete: true },
    Presets.rect,
  )
  bar.start(1, 0)
  return {
    update: (done: number, total: number) => bar.update(total > 0 ? Math.min(done / total, 1) : 1),
    stop: () => bar.stop(),
  }
}
