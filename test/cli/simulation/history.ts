import { expectExactIndex } from '../../store/index-of-database.ts'
import { type CreatedMember, checkMember, createMember } from './creators.ts'
import { Follower } from './follower.ts'
import { checkMove, moveTo } from './moves.ts'
import { addReceivers, checkReceivers, deliverDue } from './receivers.ts'
import { calm, type FaultRates, Simulation } from './simulation.ts'
import {
  checkVisitors,
  hasOpenSignUps,
  openEvent,
  runEventSchedule,
  staffEvent,
  visit,
} from './visitors.ts'
import { World, type WorldOptions } from './world.ts'
import { checkRecord, planRecord, writeRecord } from './writers.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How often calls fail in a history. */
const faultLevels: readonly [FaultRates, ...FaultRates[]] = [
  calm,
  { fails: 0.01, losesReply: 0.02, isSlow: 0.02, ends: 0.01 },
  { fails: 0.08, losesReply: 0.1, isSlow: 0.08, ends: 0.05 },
]

// The leases, retries and offers of the faulty time have ended.
const quietPauses = [10 * minuteMs, hourMs, dayMs]

type HistoryOptions = WorldOptions & {
  /** Receives a line for each statement and fault. */
  lines?: string[]
}

/** Runs the history of a seed, and throws an error that names the seed if it breaks a rule of a model. */
export async function runHistory(
  seed: number,
  { lines, ...options }: HistoryOptions = {},
): Promise<void> {
  const simulation = new Simulation(seed, lines)
  simulation.install()
  try {
    await simulation.run(simulateHistory(new World(simulation, options)))
  } catch (error) {
    throw new Error(`The history of SIMULATION_SEED=${seed} breaks a rule.`, { cause: error })
  } finally {
    simulation.uninstall()
  }
}

async function simulateHistory(world: World): Promise<void> {
  const { simulation, organisationId } = world
  const { random } = simulation
  await world.create()
  const records = Array.from({ length: random.integer(0, 2) }, (_, index) =>
    planRecord(simulation, `record-${index}`),
  )
  const created: CreatedMember[] = Array.from({ length: random.integer(0, 2) }, (_, index) => ({
    name: `Member ${index}`,
  }))
  const receivers = await addReceivers(world, random.integer(0, 2))
  const event = random.chance(0.5) ? await openEvent(world) : undefined
  const follower = random.chance(0.3) ? new Follower(world) : undefined
  const targets = random.pick([[], [], ['DB_1'], ['DB_1', 'DB']])
  const runSchedule = async () => {
    await simulation.pause(random.integer(0, minuteMs))
    await Promise.all([event && runEventSchedule(world), deliverDue(world, receivers)])
  }
  world.onQueued = () => void deliverDue(world, receivers).catch(simulation.fail)

  simulation.setRates(random.pick(faultLevels))
  await Promise.all([
    ...records.map((record) => writeRecord(world, record)),
    ...created.map((member) => createMember(world, member)),
    ...(event?.visitors.map((visitor) => visit(world, visitor)) ?? []),
    event && staffEvent(world),
    follower?.follow(random.integer(0, 5)),
    inTurn(targets, (target) => moveTo(world, target)),
    inTurn(Array(random.integer(0, 3)).fill(undefined), runSchedule),
  ])
  simulation.setRates(calm)
  await simulation.end()

  const target = targets.at(-1)
  if (target) await moveTo(world, target)
  for (const record of records) await checkRecord(world, record)
  for (const pause of quietPauses) {
    await runSchedule()
    await simulation.pause(pause)
  }
  while (hasOpenSignUps(world)) {
    await runSchedule()
    await simulation.pause(dayMs)
  }
  await runSchedule()
  await simulation.end()
  for (const member of created) checkMember(world, member)
  checkReceivers(world, receivers)
  if (event) checkVisitors(world, event)
  await follower?.check()
  if (target) await checkMove(world, target)
  await expectExactIndex(world.home, organisationId)
}

/** Acts on items one after the other. */
async function inTurn<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  for (const item of items) await act(item)
}
