import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileSource } from '../../cli/import/import-files.ts'
import { threeSixtyGiving } from '../../src/import/adapters/import-grants.ts'
import { withoutValues } from '../../src/import/report/import-result.ts'
import sample from './fixtures/360giving-sample.json' with { type: 'json' }
import { localState, newOrganisation } from './local-state.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()
const bindings = await localState()

async function importGrants(path: string, to: Parameters<typeof threeSixtyGiving.import>[1]) {
  const { numbers, errors } = await threeSixtyGiving.import(fileSource(path), to)
  const { applications, funds, disbursements } = numbers
  return { applications, funds, disbursements, errors: withoutValues(errors) }
}

async function importing(text: string) {
  const path = join(folder, `${crypto.randomUUID()}.json`)
  await writeFile(path, text)
  const organisation = await newOrganisation(bindings)
  const load = () => importGrants(path, organisation.to)
  const totals = async () => {
    const lists = ['funds', 'grant-applications', 'disbursements'].map((name) =>
      organisation.get<{ total: number }>(name),
    )
    return (await Promise.all(lists)).map(({ total }) => total)
  }
  return { ...organisation, load, totals }
}

test('published grants are served as funds, applications and disbursements, and again the same', async () => {
  const { load, totals, get } = await importing(JSON.stringify(sample))
  const outcome = await load()
  expect(outcome).toMatchObject({ applications: 20, errors: [] })
  expect(await totals()).toEqual([outcome.funds, 20, outcome.disbursements])
  expect(outcome.disbursements).toBe(
    sample.grants.filter((grant) => Number(Object(grant).amountDisbursed) > 0).length,
  )
  const [first] = sample.grants
  expect(await get(`grant-applications?recipient.postcode=LE1 1AA`)).toMatchObject({
    applications: [{ applicationId: first?.id, amountAwarded: 15000 }],
    total: 1,
  })
  const served = async () => [
    await get('funds'),
    await get('grant-applications'),
    await get('disbursements'),
  ]
  const before = await served()
  expect(await load()).toEqual(outcome)
  expect(await served()).toEqual(before)
})

test('importing a file again keeps what it does not mention and clears what it empties', async () => {
  const { to, get, import: importRecords } = await newOrganisation(bindings)
  const path = join(folder, `${crypto.randomUUID()}.json`)
  const load = async (changes: object) => {
    const grant = {
      id: '360G-again-7',
      title: 'Warm rooms',
      currency: 'GBP',
      amountAwarded: 100,
      awardDate: '2024-03-01',
      recipientOrganization: [{ id: 'GB-CHC-1', name: 'The Well' }],
      fundingOrganization: [{ id: 'GB-CHC-2', name: 'Funder' }],
      ...changes,
    }
    await writeFile(path, JSON.stringify({ grants: [grant] }))
    expect((await importGrants(path, to)).errors).toEqual([])
  }
  const served = async () => ({
    application: (await get<{ application: object }>('grant-applications/360G-again-7'))
      .application,
    fund: (await get<{ fund: object }>('funds/gb-chc-2')).fund,
    disbursement: (await get<{ disbursement: object }>('disbursements/360G-again-7-disbursed'))
      .disbursement,
  })
  await load({
    description: 'Soup',
    amountDisbursed: 100,
    actualDates: [{ endDate: '2025-03-01' }],
  })
  const added = {
    application: {
      summary: 'Well placed.',
      status: 'completed',
      recipient: { email: 'office@example.org' },
      dates: { submitted: '2024-01-01T00:00:00.000Z' },
    },
    fund: {
      description: 'For warmth.',
      contact: { email: 'grants@example.org' },
      financials: { totalAmount: 5000 },
    },
    disbursement: { notes: 'Paid late.', payment: { method: 'BACS' } },
  }
  for (const [name, idName, id, patch] of [
    ['grant-applications', 'applicationId', '360G-again-7', added.application],
    ['funds', 'fundId', 'gb-chc-2', added.fund],
    ['disbursements', 'disbursementId', '360G-again-7-disbursed', added.disbursement],
  ] as const) {
    expect(await importRecords({ [`${name}.json`]: [{ [idName]: id, ...patch }] })).toEqual({
      [`${name}.json`]: 1,
    })
  }

  const before = await served()
  await load({})
  expect(await served()).toEqual(before)

  await load({ title: 'Warmer rooms', description: '', amountAwarded: 200, amountDisbursed: 150 })
  expect(await served()).toMatchObject({
    application: {
      ...added.application,
      title: 'Warmer rooms',
      description: '',
      amountDisbursed: 150,
      dates: { ...added.application.dates, grantEnd: '2025-03-01T00:00:00.000Z' },
    },
    fund: {
      ...added.fund,
      financials: { totalAmount: 5000, amountAwarded: 200, amountDisbursed: 150 },
    },
    disbursement: { ...added.disbursement, amount: 150 },
  })
})

test('bad grants among them are named with line and property, and the others are served', async () => {
  const [one, two, three] = sample.grants
  const grants = [
    one,
    { ...two, awardDate: '31/02/2024', currency: '' },
    'a grant',
    { ...three, recipientOrganization: undefined },
    one,
    three,
  ]
  const text = JSON.stringify({ license: 'x', grants }, null, 1)
  const lines = text.split('\n')
  const begins = (line: string) =>
    lines.flatMap((text, index) => (text === line ? [index + 1] : []))
  const objects = begins('  {')
  const { load, totals } = await importing(text.replace('"a grant"', '{"title": "broken", }'))
  const outcome = await load()
  expect(outcome).toMatchObject({ applications: 2, funds: 2 })
  expect(outcome.errors.map(({ lines, field }) => [lines[0], field])).toEqual([
    [objects[1], 'currency'],
    [objects[1], 'awardDate'],
    [begins('  "a grant",')[0], ''],
    [objects[2], 'recipientOrganization'],
    [objects[3], 'id'],
  ])
  expect(JSON.stringify(outcome.errors)).not.toContain('broken')
  expect(await totals()).toEqual([2, 2, outcome.disbursements])
})

test.each([
  [
    'that breaks off',
    JSON.stringify(sample).slice(0, -2),
    'is not whole: it ends before its brackets do.',
  ],
  [
    'of something else',
    '{"events":[]}',
    'must be a JSON list or an object with a list under "grants".',
  ],
  ['with nothing', '', 'must be a JSON list or an object with a list under "grants".'],
])('of a file %s nothing is written', async (_, text, message) => {
  const { load, totals } = await importing(text)
  expect((await load()).errors).toEqual([
    { field: '', message, code: 'unreadable', count: 1, lines: [1] },
  ])
  expect(await totals()).toEqual([0, 0, 0])
})

test('the totals of a fund are the sums over every file of its programme, and follow what moves', async () => {
  const grantOf = (id: string, amountAwarded: number, code = 'P', more = {}) => ({
    id,
    currency: 'GBP',
    amountAwarded,
    awardDate: '2024-03-01',
    recipientOrganization: [{ name: 'The Well' }],
    fundingOrganization: [{ id: 'GB-CHC-1', name: 'Funder' }],
    grantProgramme: [{ code }],
    ...more,
  })
  const { to, get } = await newOrganisation(bindings)
  const load = async (...grants: object[]) => {
    const path = join(folder, `${crypto.randomUUID()}.json`)
    await writeFile(path, JSON.stringify({ grants }))
    return importGrants(path, to)
  }
  const funds = async () => {
    const { funds } = await get<{
      funds: { identifier: string; financials: Record<string, number>; isOpenCall: boolean }[]
    }>('funds')
    return funds.map(({ identifier, financials, isOpenCall }) => [
      identifier,
      financials.amountAwarded,
      financials.amountDisbursed,
      isOpenCall,
    ])
  }
  const open = { fromOpenCall: 'Yes' }
  await load(grantOf('g1', 1000.1, 'P', open), grantOf('g2', 10, 'P', { amountDisbursed: 10 }))
  await load(grantOf('g3', 200.2), grantOf('g4', 5, 'Q'))
  expect(await funds()).toEqual([
    ['P', 1210.3, 10, true],
    ['Q', 5, null, false],
  ])
  await load(grantOf('g2', 20, 'Q'))
  expect(await funds()).toEqual([
    ['P', 1200.3, null, true],
    ['Q', 25, 10, false],
  ])
  const tooLarge = grantOf('g9', 1, 'P', { title: 'x'.repeat(100_000) })
  expect(await load(grantOf('.', 1), tooLarge, grantOf('g10', 7, 'Q'))).toMatchObject({
    applications: 1,
    errors: [{ field: 'id' }, { field: '' }],
  })
})
