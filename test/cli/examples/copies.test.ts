import { stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { readFileCopy, readSqliteCopy } from './copies.ts'
import { isInstalled, run, serveExamples } from './served.ts'

const { organisation, requests, countedEnv } = await serveExamples()
const folder = await temporaryFolder()

describe.each([
  {
    language: 'Python',
    missing: !isInstalled('python3'),
    sync: ['python3', 'examples/python/sync.py', `${folder}/copy.db`],
    copied: `${folder}/copy.db`,
    copy: () => readSqliteCopy(`${folder}/copy.db`),
  },
  {
    language: 'TypeScript',
    missing: false,
    sync: [process.execPath, 'examples/typescript/sync.ts', `${folder}/copy`],
    copied: `${folder}/copy/members.ndjson`,
    copy: () => readFileCopy(`${folder}/copy`),
  },
])('a copy kept in $language', ({ missing, sync: [program = '', ...args], copied, copy }) => {
  const sync = () => run(program, args, { env: countedEnv })

  /** The copy has the records that the API has, as it shows them. */
  async function expectTruth() {
    const had = await copy()
    for (const [collection, truth] of await organisation.truth()) {
      const records = had.get(collection)
      expect([...(records?.keys() ?? [])].sort(), collection).toEqual([...truth.keys()].sort())
      for (const [id, item] of truth) expect(records?.get(id)).toMatchObject(item)
    }
  }

  test.skipIf(missing)(
    'takes everything once, though it is cut off and put off, and twenty changes the next time with three requests',
    async () => {
      await requests.during(() => expect(sync()).rejects.toThrow(), { 3: 'cut' })
      const busy = { status: 429, retryAfter: '0' }
      await requests.during(sync, { 1: busy, 2: { ...busy, status: 503 } })
      await expectTruth()
      expect((await stat(copied)).mode & 0o077).toBe(0)

      await organisation.changeTwenty()
      const urls = await requests.during(sync)
      expect(urls.length).toBeLessThanOrEqual(3)
      await expectTruth()
    },
  )

  test.skipIf(missing)('starts again when deletions were forgotten', async () => {
    await organisation.changeTwenty()
    await organisation.forget()
    const [, ...anew] = await requests.during(sync)
    expect(anew.length).toBeGreaterThan(2)
    await expectTruth()
  })
})
