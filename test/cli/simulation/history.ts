import type { Defect } from './defects.ts'
import { calm, type FaultRates, Simulation } from './simulation.ts'
import { newWorld } from './world.ts'
import { checkRecord, planRecord, writeRecord } from './writers.ts'

/** How much goes wrong in a history. */
const weathers: readonly [FaultRates, ...FaultRates[]] = [
  calm,
  { fails: 0.02, isLost: 0.02, isSlow: 0.01 },
  { fails: 0.1, isLost: 0.1, isSlow: 0.1 },
]

type HistoryOptions = {
  /** A mistake to make in the service. */
  defect?: Defect
  /** Receives a line for each statement and fault. */
  lines?: string[]
}

/** Runs the history of a seed, and throws an error that names the seed if it breaks a rule of a model. */
export async function runHistory(
  seed: number,
  { defect, lines }: HistoryOptions = {},
): Promise<void> {
  const simulation = new Simulation(seed, lines)
  simulation.install()
  try {
    await simulation.run(tellHistory(simulation, defect))
  } catch (error) {
    throw new Error(`The history of SIMULATION_SEED=${seed} breaks a rule.`, { cause: error })
  } finally {
    simulation.uninstall()
  }
}

async function tellHistory(simulation: Simulation, defect: Defect | undefined): Promise<void> {
  const { random } = simulation
  const world = await newWorld(simulation, defect)
  const records = Array.from({ length: random.integer(1, 2) }, (_, index) =>
    planRecord(simulation, `record-${index}`),
  )
  simulation.setRates(random.pick(weathers))
  await Promise.all(records.map((record) => writeRecord(world, record)))
  simulation.setRates(calm)
  await simulation.end()
  for (const record of records) await checkRecord(world, record)
}
