import { expect, test } from 'vitest'
import { type Defect, defects } from './defects.ts'
import { runHistory } from './history.ts'

const isLong = process.env.MODE === 'long'
const hourMs = 3_600_000
const maxHistories = 300

/** The seed of a history to repeat. */
const repeated = process.env.SIMULATION_SEED

test.runIf(repeated)('the history of SIMULATION_SEED follows the models', async () => {
  const lines: string[] = []
  try {
    await runHistory(Number(repeated), { lines })
  } finally {
    console.info(lines.join('\n'))
  }
})

test.runIf(!repeated && !isLong)('histories with faults follow the models', async () => {
  for (let seed = 1; seed <= 10; seed++) await runHistory(seed)
})

test.runIf(!repeated && isLong)(
  'an hour of histories with faults follows the models',
  async () => {
    const end = performance.now() + hourMs
    for (let seed = Math.floor(Math.random() * 2 ** 40); performance.now() < end; seed++)
      await runHistory(seed)
  },
  2 * hourMs,
)

test('a seed repeats its history exactly', async () => {
  const record = async (seed: number) => {
    const lines: string[] = []
    await runHistory(seed, { lines })
    return lines
  }
  for (const seed of [5, 18]) expect(await record(seed)).toEqual(await record(seed))
})

test.each(Object.entries(defects))('the simulation finds %s', async (name, defect) => {
  const seed = await findDefect(defect)
  console.info(`The history of seed ${seed} shows ${name}.`)
  // Without the defect, the same history is right.
  await runHistory(seed)
})

/** Returns the first seed that shows a defect. */
async function findDefect(defect: Defect): Promise<number> {
  const { firstSeed } = defect
  for (let seed = firstSeed; seed < firstSeed + maxHistories; seed++)
    try {
      await runHistory(seed, { defect })
    } catch (error) {
      expect(error).toMatchObject({ cause: { message: expect.stringMatching(defect.error) } })
      return seed
    }
  throw new Error(`None of ${maxHistories} histories shows the defect.`)
}
