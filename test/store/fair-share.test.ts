import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { ApiError } from '../../src/model/api-error.ts'
import { FairShare, openShare } from '../../src/store/fair-share.ts'

/** A clock that only `advance` moves. */
function createClock() {
  let time = 0
  const sleepers = new Set<{ at: number; wake: () => void }>()
  // A woken statement needs some steps until it sleeps or runs.
  const settle = async () => {
    for (let step = 0; step < 50; step++) await Promise.resolve()
  }
  return {
    now: () => time,
    sleep: (ms: number) =>
      new Promise<void>((wake) => {
        sleepers.add({ at: time + ms, wake })
      }),
    async advance(ms: number) {
      const end = time + ms
      await settle()
      for (;;) {
        const at = Math.min(end, ...[...sleepers].map((sleeper) => sleeper.at))
        time = at
        const due = [...sleepers].filter((sleeper) => sleeper.at <= at)
        if (due.length === 0) return
        for (const sleeper of due) {
          sleepers.delete(sleeper)
          sleeper.wake()
        }
        await settle()
      }
    },
  }
}

/** A share of 100,000 rows, refilled in 10 seconds, with statements by name that run until they are finished. */
function createShare(takeUnit = async () => true) {
  const clock = createClock()
  const share = new FairShare({ max: 100_000, seconds: 10 }, takeUnit, clock)
  const started: (string | number)[] = []
  const refused = new Map<string | number, ApiError>()
  const finish = new Map<string | number, () => void>()
  const run = (name: string | number, isFirst = true) => {
    const statement = () =>
      new Promise<void>((resolve) => {
        started.push(name)
        finish.set(name, resolve)
      })
    share.run(statement, { hasBegun: !isFirst }).catch((error: unknown) => {
      if (error instanceof ApiError) refused.set(name, error)
    })
  }
  return {
    clock,
    share,
    started,
    refused,
    run,
    finish: (name: string | number) => finish.get(name)?.(),
  }
}

/** A share of statements that read few rows so far. */
async function createCheapShare() {
  const created = createShare()
  for (let statement = 0; statement < 100; statement++) await created.share.charge(0)
  return created
}

test('some statements run at once, the others in order', async () => {
  const { clock, started, run, finish } = await createCheapShare()
  const names = Array.from({ length: 40 }, (_, name) => name)
  for (const name of names) run(name)
  await clock.advance(100)
  expect(started).toEqual(names.slice(0, 32))
  finish(3)
  finish(5)
  await clock.advance(100)
  expect(started).toEqual(names.slice(0, 34))
})

test('the more rows the statements read, and the fewer are left, the fewer run at once', async () => {
  const [cheap, expensive] = [await createCheapShare(), createShare()]
  await cheap.share.charge(20_000)
  await expensive.share.charge(60_000)
  for (const { clock, run } of [cheap, expensive]) {
    for (let name = 0; name < 12; name++) run(name)
    await clock.advance(10)
  }
  expect([cheap.started, expensive.started]).toEqual([[0, 1, 2, 3, 4, 5], [0]])
})

test('the statements of one request run at once', async () => {
  const { clock, share, started } = createShare()
  await share.charge(99_000)
  const caller = { hasBegun: false }
  for (let name = 0; name < 9; name++) void share.run(async () => started.push(name), caller)
  await clock.advance(0)
  expect(started).toHaveLength(9)
})

test('a clock that is set back uses up no share', async () => {
  const { clock, share, refused, started, run } = createShare(async () => false)
  await share.charge(50_000)
  await clock.advance(9000)
  run('refused')
  await clock.advance(0)
  expect([...refused.keys()]).toEqual(['refused'])
  await clock.advance(-3_600_000)
  expect(share.remainder).toEqual({ left: 100_000, seconds: 0 })
  await clock.advance(1001)
  run('a')
  await clock.advance(0)
  expect(started).toEqual(['a'])
})

test('a statement waits until rows are left, and says what remains', async () => {
  const { clock, share, started, run } = createShare()
  expect(share.remainder).toEqual({ left: 100_000, seconds: 0 })
  await share.charge(120_000)
  expect(share.remainder).toEqual({ left: 0, seconds: 12 })
  run('a')
  await clock.advance(1990)
  expect(started).toEqual([])
  await clock.advance(20)
  expect(started).toEqual(['a'])
  await clock.advance(2990)
  expect(share.remainder).toEqual({ left: 30_000, seconds: 7 })
})

test('a request that would wait for more than ten seconds is refused, unless it has started', async () => {
  const { clock, share, started, refused, run } = createShare()
  await share.charge(210_000)
  run('first')
  run('begun', false)
  await clock.advance(10)
  expect([...refused.keys()]).toEqual(['first'])
  expect(refused.get('first')).toMatchObject({
    type: 'RATE_LIMITED',
    message: expect.stringContaining('this organisation'),
    headers: { 'Retry-After': '12' },
  })
  await clock.advance(10_900)
  expect(started).toEqual([])
  await clock.advance(200)
  expect(started).toEqual(['begun'])
})

test('a request is refused after ten seconds behind others', async () => {
  const { clock, share, started, refused, run } = createShare()
  await share.charge(100_500)
  run('late')
  for (let second = 1; second < 10; second++) {
    await share.charge(10_000)
    await clock.advance(1000)
  }
  expect([started, [...refused.keys()]]).toEqual([[], []])
  await share.charge(10_000)
  await clock.advance(1000)
  expect([started, [...refused.keys()]]).toEqual([[], ['late']])
  expect(refused.get('late')?.headers).toEqual({ 'Retry-After': '5' })
})

test('a started request precedes the first statements of others', async () => {
  const { clock, share, started, run } = createShare()
  await share.charge(110_000)
  run('first')
  run('begun', false)
  await clock.advance(1100)
  expect(started).toEqual(['begun'])
})

test('at most a thousand requests wait', async () => {
  const { clock, refused, run } = createShare()
  for (let name = 0; name < 1010; name++) run(name)
  await clock.advance(10)
  expect([...refused.keys()]).toEqual([1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009])
})

test('a cancelled request soon loses its turn and its place', async () => {
  const { clock, share, started, run } = createShare()
  await share.charge(99_000)
  // It never finishes, like the statement of a request whose client has gone.
  run('cancelled')
  const { sleep } = clock
  clock.sleep = () => new Promise(() => {})
  run('never woken')
  await clock.advance(0)
  clock.sleep = sleep
  run('next')
  await clock.advance(2900)
  expect(started).toEqual(['cancelled', 'next'])
})

test('every 50,000 rows count as a unit; without units left, requests are refused for ten seconds', async () => {
  const units: number[] = []
  const { clock, share, started, refused, run, finish } = createShare(async () => units.push(1) < 3)
  await share.charge(49_999)
  expect(units).toHaveLength(0)
  await share.charge(50_002)
  expect(units).toHaveLength(2)
  await clock.advance(20_000)
  run('runs')
  await clock.advance(0)
  finish('runs')
  await share.charge(50_000)
  expect(units).toHaveLength(3)
  run('refused')
  run('next page', false)
  await clock.advance(0)
  expect(refused.get('refused')?.headers).toEqual({ 'Retry-After': '10' })
  await clock.advance(9990)
  expect(started).not.toContain('next page')
  await clock.advance(20)
  finish('next page')
  run('later')
  await clock.advance(10)
  expect(started).toEqual(['runs', 'next page', 'later'])
})

test('waiting requests are refused when the units are used up', async () => {
  const { clock, share, started, refused, run } = createShare(async () => false)
  await share.charge(49_999)
  for (let name = 0; name < 9; name++) run(name)
  await clock.advance(10)
  await share.charge(1)
  await clock.advance(100)
  expect([started.length, refused.size]).toEqual([1, 8])
})

test('a policy without a limit of rows has no share', () => {
  const id = crypto.randomUUID()
  expect(openShare({ ...env, RATE_LIMIT_POLICY: '"credential";q=1;w=60' }, id)).toBeUndefined()
  const policy = { ...env, RATE_LIMIT_POLICY: '"rows";q=7;w=5' }
  expect(openShare(policy, id)?.remainder).toEqual({ left: 7, seconds: 0 })
})
