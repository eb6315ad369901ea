import { describe, expect, test } from 'vitest'
import { FundTotals } from '../../src/import/adapters/fund-totals.ts'
import {
  createGrantConverter,
  type GrantRecords,
  publishedApplicationRules,
} from '../../src/import/adapters/three-sixty-giving.ts'
import type { RecordValues } from '../../src/model/record-properties.ts'
import { recordRules } from '../../src/records/record-rules.ts'
import type { Rules } from '../../src/records/rules.ts'
import {
  type disbursementRecord,
  collection as disbursements,
} from '../../src/resources/disbursements.ts'
import { type fundRecord, collection as funds } from '../../src/resources/funds.ts'
import type { grantApplicationRecord } from '../../src/resources/grant-applications.ts'
import sample from './fixtures/360giving-sample.json' with { type: 'json' }

/** A grant with what it must have and nothing else, but for `changes`. */
const grant = (changes: object = {}) => ({
  id: '360G-test-1',
  currency: 'GBP',
  amountAwarded: 1000,
  awardDate: '2024-03-01',
  recipientOrganization: [{ name: 'The Well' }],
  ...changes,
})

const add = (changes?: object) => createGrantConverter('org-1').add(grant(changes))

const applicationRules = publishedApplicationRules('org-1')

function stored<Stored>(rules: Rules, patch: unknown): Stored {
  const checked = rules.merge(undefined, patch)
  if ('errors' in checked) throw new Error(JSON.stringify(checked.errors))
  return JSON.parse(checked.value.document)
}

/** The stored records of a new grant. */
function storedRecords(added: GrantRecords | { errors: unknown } | undefined) {
  if (!added || 'errors' in added) throw new Error(JSON.stringify(added))
  const { application, disbursement } = added
  const rules = recordRules(disbursements, 'org-1')
  return {
    application: stored<RecordValues<typeof grantApplicationRecord>>(applicationRules, application),
    ...(disbursement && {
      disbursement: stored<RecordValues<typeof disbursementRecord>>(rules, disbursement),
    }),
  }
}

const records = (changes?: object) => storedRecords(add(changes))

const application = (changes?: object) => records(changes).application

function createFunds(published: readonly object[]) {
  const converter = createGrantConverter('org-1')
  const totals = new FundTotals()
  for (const grant of published) {
    const added = converter.add(grant)
    if (!('errors' in added)) totals.add(storedRecords(added).application)
  }
  const rules = recordRules(funds, 'org-1')
  return converter.funds(totals).map((fund) => stored<RecordValues<typeof fundRecord>>(rules, fund))
}

const fundsOf = (...grants: object[]) =>
  createFunds(grants.map((changes, index) => grant({ id: `360G-test-${index}`, ...changes })))

describe('published grants', () => {
  const giving = createGrantConverter('org-1')
  const added = new Map(sample.grants.map((published) => [published.id, giving.add(published)]))
  const sampleFunds = createFunds(sample.grants)

  const one = (id: string) => storedRecords(added.get(id))

  test('have no fault', () => {
    expect([...added].filter(([, result]) => 'errors' in result)).toEqual([])
    expect(added.size).toBe(20)
  })

  test('become whole applications', () => {
    expect(one('360G-LBFEW-113935')).toEqual({
      application: {
        applicationId: '360G-LBFEW-113935',
        fundId: 'gb-chc-327114.invest-north',
        granteeId: 'GB-CHC-1153055',
        identifier: 113935,
        title: "Grant to Queen's Hall Action on Poverty",
        description:
          'providing a wide range of support to homeless and vulnerable people by supporting them to move into accommodation and developing skills for rebuilding their lives. The grant will fund the salary and on costs of the Support Services Manager.',
        currency: 'GBP',
        amountApplied: null,
        amountAwarded: 62061,
        amountDisbursed: null,
        status: 'approved',
        managedBy: 'org-1',
        recipient: {
          organisationId: 'GB-CHC-1153055',
          name: "Queen's Hall Action on Poverty",
          email: '',
          phone: '',
          postcode: 'WN1 1HX',
          type: 'organisation',
          registeredId: '1153055',
          registrationType: 'charity',
          address: "Queen's Hall Methodist Mission, 46 Market Street, Wigan",
          country: '',
        },
        dates: {
          awarded: '2015-09-09T00:00:00.000Z',
          submitted: null,
          recommended: null,
          rejected: null,
          grantStart: null,
          grantEnd: null,
          plannedStart: '2015-10-01',
          plannedEnd: '2018-09-30',
        },
        durationMonths: 36,
        summary: '',
        feedback: '',
        language: '',
        fromOpenCall: true,
        external: { id: '360G-LBFEW-113935', source: '360Giving' },
        created: null,
        updated: null,
        monitoring: { requests: [], latestSubmissionId: '', latestSubmissionDate: null },
        actions: { approvedBy: null, rejectedBy: null, recommendedBy: null },
      },
    })
  })

  test('become a disbursement where money was paid', () => {
    expect(one('360G-wolfson-19772').disbursement).toEqual({
      disbursementId: '360G-wolfson-19772-disbursed',
      managedBy: 'org-1',
      grantId: '360G-wolfson-19772',
      fundId: 'gb-chc-1156077.e',
      identifier: '',
      amount: 250000,
      currency: 'GBP',
      status: 'PAID',
      dates: { scheduled: null, processed: null },
      payment: { method: '', reference: '' },
      bankAccount: { accountName: '', bankName: '', accountNumber: '', sortCode: '' },
      description: '',
      notes: '',
      modifiedBy: '',
      dataSource: 'import',
      updated: '2015-06-23T00:00:00.000Z',
    })
    expect(one('360G-wolfson-19748')).not.toHaveProperty('disbursement')
    expect([...added.values()].filter((result) => 'disbursement' in result)).toHaveLength(5)
  })

  test('have their days first in the rougher file', () => {
    const { application } = one('360G-wolfson-19978')
    expect(application.dates.awarded).toBe('2014-07-22T00:00:00.000Z')
    expect(one('360G-wolfson-20181').application.dates.awarded).toBe('2014-12-04T00:00:00.000Z')
    expect(one('360G-wolfson-19855').application.updated).toBe('2015-08-12T00:00:00.000Z')
  })

  test('say whether they came from an open call in either column', () => {
    const open = [...added.keys()].filter((id) => one(id).application.fromOpenCall)
    expect(open).toHaveLength(15)
    expect(open).toContain('360G-wolfson-19747')
    expect(open).not.toContain('360G-LBFEW-115444')
    expect(open).not.toContain('360G-wolfson-20181')
  })

  test('are fully paid only when all of an award was paid', () => {
    expect(one('360G-wolfson-19747').application.status).toBe('fully_paid')
    expect(one('360G-wolfson-19772').application.status).toBe('approved')
    expect(one('360G-wolfson-20162').application).toMatchObject({
      amountAwarded: 0,
      amountDisbursed: 0,
      status: 'approved',
    })
  })

  test('lose the space around their texts', () => {
    expect(one('360G-LBFEW-109598').application.recipient.postcode).toBe('LS119RR')
    expect(one('360G-wolfson-20194').application.recipient.postcode).toBe('PL4 8AJ')
    expect(one('360G-LBFEW-112201').application.recipient.name).toBe('Bath City Farm Ltd')
  })

  test('keep a recipient of another register by its identifier alone', () => {
    expect(one('360G-LBFEW-75903').application).toMatchObject({
      granteeId: 'GB-EDU-133839',
      recipient: { organisationId: 'GB-EDU-133839', registeredId: '', registrationType: '' },
    })
  })

  test('are summed in one fund for each programme', () => {
    const sums = sampleFunds.map(({ fundId, name, identifier, financials }) => [
      fundId,
      name,
      identifier,
      financials.amountAwarded,
      financials.amountDisbursed,
    ])
    expect(sums).toHaveLength(11)
    expect(sums).toEqual(
      expect.arrayContaining([
        ['gb-chc-327114.xa10-community', 'XA10 - Community', '', 70837.65, null],
        ['gb-chc-327114.xa9-community', 'XA9 - Community', '', 0, null],
        ['gb-chc-1156077.s', 'Science and Medicine', 'S', 1000000, 1000000],
        ['gb-chc-1156077.e', 'Education', 'E', 578000, 290000],
        ['gb-chc-1156077.a', 'Arts and Humanities', 'A', 25000, 25000],
        ['gb-chc-1156077.h', 'Health and Disability', 'H', 120000, 50000],
      ]),
    )
    expect(new Set([...added.keys()].map((id) => one(id).application.fundId))).toEqual(
      new Set(sampleFunds.map(({ fundId }) => fundId)),
    )
  })

  test('give their funds what a programme says of itself', () => {
    expect(sampleFunds.find(({ fundId }) => fundId === 'gb-chc-1156077.s')).toMatchObject({
      managedBy: 'org-1',
      currency: 'GBP',
      isOpenCall: true,
      recipientType: 'organisation',
      external: { id: 'S', source: '360Giving' },
    })
  })
})

describe('a grant', () => {
  test('needs only an id, an award, its date, a currency and a recipient', () => {
    const { recipient, dates, ...rest } = application()
    expect(rest).toMatchObject({
      applicationId: '360G-test-1',
      granteeId: '',
      durationMonths: null,
    })
    expect(recipient).toMatchObject({ organisationId: '', name: 'The Well', type: 'organisation' })
    expect(dates.plannedStart).toBeNull()
  })

  test('may have null or an empty text where it has no value', () => {
    const empty = { amountDisbursed: '', dateModified: null, fromOpenCall: '', title: null }
    const none = { plannedDates: [], grantProgramme: null, actualDates: [{ startDate: '' }] }
    expect(application({ ...empty, ...none })).toEqual(application())
  })

  test('is all that is in the standard for it', () => {
    const { application: grantApplication, disbursement } = records({
      amountAppliedFor: '£15,000',
      amountAwarded: '15,000.50',
      amountDisbursed: '20000',
      plannedDates: [
        { startDate: '2024-04-01T00:00:00+01:00', endDate: '1/4/2025', duration: '12' },
      ],
      actualDates: [{ startDate: '2024-04-02T00:00:00+01:00', endDate: '31/03/2025' }],
      dateModified: '17/08/2024 09:30',
      fromOpenCall: 'no',
      'Open Call?': 'YES',
    })
    expect(grantApplication).toMatchObject({
      amountApplied: 15000,
      amountAwarded: 15000.5,
      amountDisbursed: 20000,
      status: 'fully_paid',
      durationMonths: 12,
      fromOpenCall: false,
      updated: '2024-08-17T09:30:00.000Z',
      dates: {
        plannedStart: '2024-04-01',
        plannedEnd: '2025-04-01',
        grantStart: '2024-04-01T23:00:00.000Z',
        grantEnd: '2025-03-31T00:00:00.000Z',
      },
    })
    expect(disbursement?.amount).toBe(20000)
  })

  test.each([
    ['Yes', true],
    ['y', true],
    [true, true],
    ['No', false],
    [false, false],
  ])('from an open call "%s"', (fromOpenCall, expected) => {
    expect(application({ fromOpenCall }).fromOpenCall).toBe(expected)
  })

  test.each([
    ['360G-x-00042', 42],
    ['360G-x-42/b', null],
    ['360G-x-12345678901234567890', null],
  ])('with the id %s has the number %s', (id, identifier) => {
    expect(application({ id })).toMatchObject({ applicationId: id, identifier })
  })

  test.each([
    [{ charityNumber: 1136419, id: 'GB-COH-01234567' }, '1136419', 'charity'],
    [{ companyNumber: '01234567' }, '01234567', 'company'],
    [{ id: 'GB-CHC-1136419' }, '1136419', 'charity'],
    [{ id: 'GB-SC-SC009481' }, 'SC009481', 'charity'],
    [{ id: 'GB-COH-01234567' }, '01234567', 'company'],
    [{ id: '360G-wolfson:org-1' }, '', ''],
  ])('to %j is to a registered recipient', (organisation, registeredId, registrationType) => {
    const recipientOrganization = [{ name: 'The Well', ...organisation }]
    expect(application({ recipientOrganization }).recipient).toMatchObject({
      registeredId,
      registrationType,
    })
  })

  test('to an individual is to no organisation', () => {
    const recipientIndividual = { id: '360G-test-ind-1', name: 'Individual recipient' }
    const grantApplication = application({ recipientOrganization: [], recipientIndividual })
    expect(grantApplication.granteeId).toBe('360G-test-ind-1')
    expect(grantApplication.recipient).toMatchObject({
      type: 'individual',
      organisationId: '',
      name: 'Individual recipient',
      registeredId: '',
    })
    expect(fundsOf({ recipientOrganization: undefined, recipientIndividual })[0]).toMatchObject({
      recipientType: 'individual',
    })
  })
})

describe('a fund', () => {
  const funder = { fundingOrganization: [{ id: 'GB-CHC-1', name: 'The Fund' }] }
  const programme = (code: string, title: string) => ({
    ...funder,
    grantProgramme: [{ code, title }],
  })
  const ids = (...grants: object[]) => fundsOf(...grants).map(({ fundId }) => fundId)

  test('is named after the funder of grants without a programme', () => {
    const funds = fundsOf(funder, funder, programme('', 'Arts'), {})
    expect(funds.map(({ fundId, name }) => [fundId, name])).toEqual([
      ['gb-chc-1', 'The Fund'],
      ['gb-chc-1.arts', 'Arts'],
      ['org-1', 'org-1'],
    ])
  })

  test('is the same for a code, and for a title in any case, spacing and dashes', () => {
    expect(ids(programme('E', 'Education'), programme('E', 'Schools'))).toEqual(['gb-chc-1.e'])
    expect(ids(programme('', 'XA9 - Community'), programme('', 'xa9 –  community '))).toEqual([
      'gb-chc-1.xa9-community',
    ])
  })

  test('gets a separate id where titles differ only in characters that an id omits', () => {
    const titles = ['Arts & Heritage', 'Arts + Heritage', 'Arts Heritage', '基金', '芸術']
    const grantApplication = ids(...titles.map((title) => programme('', title)))
    expect(new Set(grantApplication).size).toBe(5)
    expect(grantApplication[0]).toMatch(/^gb-chc-1\.arts-heritage-[0-9a-f]{8}$/)
    expect(grantApplication[2]).toBe('gb-chc-1.arts-heritage')
    expect(ids(...titles.map((title) => programme('', title)).reverse()).reverse()).toEqual(
      grantApplication,
    )
    const long = ids(programme('', `${'a'.repeat(300)}b`), programme('', `${'a'.repeat(300)}c`))
    expect(new Set(long).size).toBe(2)
  })

  test('is another for the same programme of another funder', () => {
    const other = { ...programme('E', 'Education'), fundingOrganization: { name: 'Another' } }
    expect(ids(programme('E', 'Education'), other)).toEqual(['gb-chc-1.e', 'another.e'])
  })

  test('sums to the penny', () => {
    const pennies = Array.from({ length: 10 }, () => ({
      amountAwarded: 1.1,
      amountDisbursed: 0.29,
    }))
    expect(fundsOf(...pennies, { amountAwarded: 0.57 })[0]?.financials).toMatchObject({
      amountAwarded: 11.57,
      amountDisbursed: 2.9,
    })
  })

  test('has no sum of several currencies', () => {
    expect(fundsOf({ amountDisbursed: 1 }, { currency: 'eur' })).toMatchObject([
      { currency: '', financials: { amountAwarded: null, amountDisbursed: null } },
    ])
  })

  test('does not count grants that have errors', () => {
    const invalid = grant({ awardDate: 'soon' })
    expect(createFunds([invalid])).toEqual([])
    expect(createFunds([invalid, grant(), grant()])).toMatchObject([
      { financials: { amountAwarded: 1000 } },
    ])
  })
})

describe('a fault names the published property', () => {
  const notADate = 'must be a real date, as YYYY-MM-DD or DD/MM/YYYY.'
  const notAnAmount = 'must be an amount of money, such as 15000 or "£15,000.00".'
  const notACurrency = 'must be a currency code of three letters, such as GBP.'

  test.each([
    [{ id: undefined }, 'id', 'must be a text.'],
    [{ id: ' ' }, 'id', 'must not be empty.'],
    [{ id: 'x'.repeat(241) }, 'id', 'must have at most 240 characters.'],
    [{ title: ['a'] }, 'title', 'must be a text.'],
    [{ currency: undefined }, 'currency', notACurrency],
    [{ currency: 'pounds' }, 'currency', notACurrency],
    [{ amountAwarded: undefined }, 'amountAwarded', notAnAmount],
    [{ amountAwarded: null }, 'amountAwarded', notAnAmount],
    [{ amountAwarded: '' }, 'amountAwarded', notAnAmount],
    [{ amountAwarded: '15.000,00' }, 'amountAwarded', notAnAmount],
    [{ amountAwarded: '1,50' }, 'amountAwarded', notAnAmount],
    [{ amountAwarded: 1e300 }, 'amountAwarded', notAnAmount],
    [{ amountDisbursed: 'all' }, 'amountDisbursed', notAnAmount],
    [{ awardDate: undefined }, 'awardDate', notADate],
    [{ awardDate: '' }, 'awardDate', notADate],
    [{ awardDate: '31/04/2024' }, 'awardDate', notADate],
    [{ awardDate: '12/25/2024' }, 'awardDate', notADate],
    [{ awardDate: '01/02/24' }, 'awardDate', notADate],
    [{ awardDate: '2023-02-29' }, 'awardDate', notADate],
    [{ dateModified: '17/08/2015 25:00' }, 'dateModified', notADate],
    [{ plannedDates: [{ startDate: '2024-02-30' }] }, 'plannedDates.startDate', notADate],
    [
      { plannedDates: [{ duration: 'a year' }] },
      'plannedDates.duration',
      'must be a number of months.',
    ],
    [{ actualDates: [{ endDate: '30/02/2024' }] }, 'actualDates.endDate', notADate],
    [{ fromOpenCall: 'perhaps' }, 'fromOpenCall', 'must be Yes or No.'],
    [{ 'Open Call?': 'perhaps' }, 'Open Call?', 'must be Yes or No.'],
    [{ recipientOrganization: [{ id: 'a' }] }, 'recipientOrganization.name', 'must be a text.'],
    [{ recipientOrganization: ['The Well'] }, 'recipientOrganization', 'is not an object.'],
    [
      { recipientOrganization: undefined },
      'recipientOrganization',
      'must be there, or recipientIndividual.',
    ],
  ])('%j: %s %s', (changes, field, message) => {
    const code = expect.any(String)
    expect(add(changes)).toEqual({
      errors: [expect.objectContaining({ field, message, code })],
    })
  })

  test('and all of them at once', () => {
    const bad = { currency: '', amountAwarded: 'none', recipientOrganization: [] }
    const added = add(bad)
    expect('errors' in added && added.errors.map(({ field }) => field)).toEqual([
      'currency',
      'amountAwarded',
      'recipientOrganization',
    ])
  })

  test('for a second grant of the same id', () => {
    const giving = createGrantConverter('org-1')
    giving.add(grant())
    expect(giving.add(grant({ id: ' 360G-test-1' }))).toEqual({
      errors: [{ field: 'id', message: 'is the id of an earlier grant.', code: 'duplicate' }],
    })
  })

  test.each([[null], ['a grant'], [[]], [undefined]])('not for %j, which is no object', (value) => {
    expect(createGrantConverter('org-1').add(value)).toEqual({
      errors: [{ field: '', message: 'is not an object.', code: expect.any(String) }],
    })
  })
})
