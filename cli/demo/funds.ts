import type { Application } from './applications.ts'
import { at } from './calendar.ts'
import { application, progressReport, scorecard } from './grant-forms.ts'
import { organisation, staff, staffIds } from './organisation.ts'

export type Fund = ReturnType<typeof fund>

/** The funds, with nothing awarded yet. */
export function funds(): Fund[] {
  return [
    fund(1, 'Neighbourhood Grants', 400_000, 12_000, {
      description: 'For groups that bring neighbours together where they live.',
      whatWeFund: 'Gardens, meals, festivals, and the rooms they need.',
      isOpenCall: true,
    }),
    fund(2, 'Youth Voices Fund', 300_000, 15_000, {
      description: 'For young people who want to change something near them.',
      whatWeFund: 'Projects that young people lead, and the adults who back them.',
    }),
    fund(3, 'Warm Spaces Fund', 150_000, 8_000, {
      description: 'For rooms that are warm, open and free to sit in.',
      whatWeFund: 'Heating, hot drinks, and somebody to welcome people.',
      close: '2025-12-31',
    }),
    fund(4, 'Household Hardship Fund', 40_000, 900, {
      description: 'For members whose home lacks something it cannot do without.',
      whatWeFund: 'Cookers, beds, school clothes, travel to work.',
      isOpenCall: true,
      recipientType: 'individual',
    }),
  ]
}

/** The funds with what their applications were awarded and paid, and the latest of their numbers. */
export function withFinancials(funds: Fund[], applications: Application[]): Fund[] {
  return funds.map((fund) => {
    const made = applications.filter(({ fundId }) => fundId === fund.fundId)
    return {
      ...fund,
      financials: {
        ...fund.financials,
        amountAwarded: made.reduce((sum, { amountAwarded }) => sum + amountAwarded, 0),
        amountDisbursed: made.reduce((sum, { amountDisbursed }) => sum + amountDisbursed, 0),
      },
      applicationNumbering: {
        ...fund.applicationNumbering,
        latestApplicationNumber: Math.max(...made.map(({ identifier }) => identifier)),
      },
    }
  })
}

function fund(
  number: number,
  name: string,
  totalAmount: number,
  maxGrantSize: number,
  {
    description,
    whatWeFund,
    isOpenCall = false,
    recipientType = 'organisation',
    close = '2026-12-31',
  }: {
    description: string
    whatWeFund: string
    isOpenCall?: boolean
    recipientType?: 'organisation' | 'individual'
    close?: string
  },
) {
  const forIndividuals = recipientType === 'individual'
  const contact = staff[number % staff.length]
  return {
    fundId: `fund-${number}`,
    managedBy: organisation.id,
    name,
    description,
    identifier: `LCT-F${number}`,
    contact: { name: contact?.name ?? '', email: contact?.email ?? '' },
    guidelines: 'Read what we fund, talk to us, then apply. We answer within three months.',
    eligibilityCriteria: forIndividuals
      ? 'Members who have been with us for a month or more.'
      : 'Partners with a bank account that two people sign for.',
    currency: 'GBP',
    financials: { totalAmount, amountAwarded: 0, amountDisbursed: 0, maxGrantSize },
    dates: {
      start: at('2024-01-01', '00:00'),
      end: at('2027-03-31', '23:59'),
      applicationsOpen: at('2024-01-08', '09:00'),
      applicationsClose: at(close, '17:00'),
    },
    whatWeFund,
    whatWeWontFund: 'What has been paid for already, and what the state must pay.',
    isOpenCall,
    recipientType,
    forms: {
      applicationFormId: application.formId,
      assessmentFormId: scorecard.formId,
      monitoringFormIds: forIndividuals ? [] : [progressReport.formId],
    },
    external: { id: '', source: '' },
    created: at('2023-11-20', '11:00'),
    updated: at('2024-01-05', '16:00'),
    strengths: 'Close to those who ask; quick to answer.',
    weaknesses: 'More is asked for than there is.',
    assessment: { simpleAssessment: forIndividuals, verbosity: forIndividuals ? 1 : 2 },
    assessors: {
      userIds: staffIds.slice(0, 2),
      groups: [{ id: `panel-${number}`, name: `${name} panel`, assessorIds: staffIds.slice(2, 5) }],
    },
    geography: {
      geopoint: { latitude: 53.4, longitude: -2 },
      radius: 60,
      radiusUnit: 'miles',
      geoMode: 'radius',
      boundaryLocations: '',
    },
    applicationNumbering: {
      latestApplicationNumber: number * 1000,
      firstApplicationNumber: number * 1000 + 1,
    },
    agreement: {
      templateId: 'agreement-1',
      requiredGranteeSignatures: forIndividuals ? 1 : 2,
      requiredFunderSignatures: 1,
    },
  }
}
