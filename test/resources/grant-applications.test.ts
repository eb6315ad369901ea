import { grantApplicationRecord } from '../../src/resources/grant-applications.ts'
import example from '../examples/grant-applications.json'
import { testDocumentCollection } from './documents.ts'

const { registeredId, registrationType, address, country, ...recipient } = example.recipient

testDocumentCollection({
  path: '/grant-applications',
  plural: 'applications',
  singular: 'application',
  id: 'applicationId',
  record: grantApplicationRecord,
  example,
  item: ({ monitoring, actions, ...item }) => ({ ...item, recipient }),
  differing: { fundId: 'fund-2', status: 'in_review', granteeId: 'grantee-2' },
  minimal: { applicationId: 'a', managedBy: 'org-1', status: 'applied' },
  finds: {
    'fundId=fund-2': ['other'],
    'status=approved': ['example'],
    'status=fully_paid': [],
    'granteeId=grantee-1': ['example'],
    'recipientOrgId=org-9': ['example', 'other'],
    'recipient.organisationId=org-9&status=in_review': ['other'],
    'recipient.postcode=SW1A%201AA': ['example', 'other'],
    'dates.plannedStart=2025-05-01': ['example', 'other'],
  },
  refuses: {
    'status=APPROVED':
      'status: must be one of: pending, applied, in_review, reviewed, recommended, rejected, approved, fully_paid, completed.',
  },
})
