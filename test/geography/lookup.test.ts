import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { lookUpAreas } from '../../src/geography/lookup.ts'
import { expectedOf, facts } from './facts.ts'
import { loadFacts } from './load-facts.ts'

const lookUpAll = (...postcodes: string[]) => lookUpAreas(env.GEOGRAPHY, postcodes)

beforeEach(() => loadFacts('2025-11'))

test.each(facts)('$postcode lies where the ONS says, live or terminated', async (fact) => {
  const { byPostcode, edition, rowsRead } = await lookUpAll(fact.postcode)
  expect(Object.fromEntries(byPostcode)).toEqual({
    [fact.postcode.replace(' ', '')]: expectedOf(fact),
  })
  expect(edition).toMatch(/^2025-11\//)
  expect(rowsRead).toBeLessThanOrEqual(20)
})

test('areas come in the order in which records show them, each name before its code', async () => {
  const { byPostcode } = await lookUpAll('PR3 0SG')
  expect(Object.keys(byPostcode.get('PR30SG') ?? {}).slice(0, 6)).toEqual([
    'country',
    'countryCode',
    'region',
    'regionCode',
    'county',
    'countyCode',
  ])
})

test.each(['sw1a1aa', ' SW1A-1AA ', 'ＳＷ１Ａ　１ＡＡ', 'SW1A\u00a01aa'])(
  'a postcode is found however it is written: %j',
  async (postcode) => {
    expect([...(await lookUpAll(postcode)).byPostcode.keys()]).toEqual(['SW1A1AA'])
  },
)

test('one statement looks up a batch, without unknown, foreign or partial postcodes', async () => {
  const { byPostcode } = await lookUpAll('SW1A 1AA', 'm1 1ad', 'BR8 7RE', 'BR8', '75008', 'Я1', '')
  expect([...byPostcode.keys()].sort()).toEqual(['M11AD', 'SW1A1AA'])
})

test('a code without a name is given alone', async () => {
  await loadFacts('2025-11', [
    {
      postcode: 'SW1A 1AA',
      areas: { country: ['E92000001', ''], ward: ['E05013806', "St James's"] },
    },
  ])
  const { byPostcode } = await lookUpAll('SW1A 1AA')
  expect(byPostcode.get('SW1A1AA')).toEqual({
    countryCode: 'E92000001',
    ward: "St James's",
    wardCode: 'E05013806',
  })
})

test('a name belongs to its kind: one code names two areas of two kinds', async () => {
  await loadFacts('2025-11', [
    {
      postcode: 'SW1A 1AA',
      areas: { lsoa: ['E01004736', 'By the one'], msoa: ['E01004736', 'By the other'] },
    },
  ])
  const { byPostcode } = await lookUpAll('SW1A 1AA')
  expect(byPostcode.get('SW1A1AA')).toMatchObject({ lsoa: 'By the one', msoa: 'By the other' })
})

test('the edition that was loaded last answers alone, and its id is new each time', async () => {
  const before = await lookUpAll('SW1A 1AA')
  await loadFacts('2026-02', facts.slice(1))
  const after = await lookUpAll('SW1A 1AA')
  expect(after.edition).toMatch(/^2026-02\//)
  expect(after.byPostcode.size).toBe(0)
  await loadFacts('2025-11')
  expect((await lookUpAll('M1 1AD')).edition).not.toBe(before.edition)
})

test('without a directory nothing is found, and nothing fails', async () => {
  for (const table of ['editions', 'postcodes', 'combinations', 'areas']) {
    await env.GEOGRAPHY.prepare(`DELETE FROM ${table}`).run()
  }
  expect(await lookUpAll('SW1A 1AA')).toMatchObject({ edition: undefined, byPostcode: new Map() })
  expect(await lookUpAll()).toMatchObject({ edition: undefined, byPostcode: new Map() })
})
