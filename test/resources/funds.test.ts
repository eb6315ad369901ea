import { fundRecord } from '../../src/resources/funds.ts'
import example from '../examples/funds.json'
import { testDocumentCollection } from './documents.ts'

testDocumentCollection({
  path: '/funds',
  plural: 'funds',
  singular: 'fund',
  id: 'fundId',
  record: fundRecord,
  example,
  item: ({
    strengths,
    weaknesses,
    assessment,
    assessors,
    geography,
    applicationNumbering,
    agreement,
    ...item
  }) => item,
  differing: { isOpenCall: false, recipientType: 'individual' },
  minimal: { fundId: 'f', managedBy: 'org-1', recipientType: 'individual' },
  finds: {
    'isOpenCall=TRUE': ['example'],
    'isOpenCall=false': ['other'],
    'recipientType=individual': ['other'],
    'forms.monitoringFormIds=form-3': ['example', 'other'],
    'financials.amountAwarded=25000.50': ['example', 'other'],
    'assessors.groups.id=group-1': [],
    'strengths=Local': ['example', 'other'],
  },
  refuses: {
    'recipientType=person': 'recipientType: must be one of: individual, organisation.',
    'isOpenCall=0': 'isOpenCall: must be true or false.',
  },
})
