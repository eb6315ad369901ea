import { Presets, SingleBar } from 'cli-progress'

/** A progress bar on a terminal's standard error; nothing in a pipe. */
export function progressBar(label: string) {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} }
  const bar = new SingleBar(
    { format: `${label} {bar} {percentage}%`, clearOnComplete: true },
    Presets.rect,
  )
  bar.start(1, 0)
  return {
    update: (done: number, whole: number) => bar.update(whole > 0 ? Math.min(done / whole, 1) : 1),
    stop: () => bar.stop(),
  }
}
