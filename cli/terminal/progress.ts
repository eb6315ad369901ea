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

/** Shows the progress of work in phases on standard error: a bar for each phase; without a terminal, a line for each tenth. */
export function startPhases() {
  let phase = ''
  let bar = { update: (_done: number, _total: number) => {}, stop: () => {} }
  return {
    update(current: string, done: number, total: number) {
      if (phase !== current) {
        bar.stop()
        bar = process.stderr.isTTY ? startProgressBar(current) : startProgressLines(current)
        phase = current
      }
      bar.update(done, total)
    },
    stop: () => bar.stop(),
  }
}

function startProgressLines(label: string) {
  let lastTenth = -1
  return {
    update(done: number, total: number) {
      const tenth = total > 0 ? Math.min(Math.floor((done / total) * 10), 10) : 10
      if (tenth > lastTenth) process.stderr.write(`${label} ${tenth * 10}%\n`)
      lastTenth = tenth
    },
    stop: () => {},
  }
}
