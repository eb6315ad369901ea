import { afterEach, describe, expect, test, vi } from 'vitest'
import { collections, organisation, schemas } from '../../cli/demo/demo.ts'
import { derivedFieldIds } from '../../src/geography/enrichment.ts'
import { parseSchema } from '../../src/records/schema.ts'
import { resources } from '../../src/resources/resources.ts'

const demo = collections()
const structured = (await Promise.all(Object.values(resources).map((load) => load()))).flatMap(
  ({ collection }) => collection ?? [],
)
const given = new Map<string, Record<string, unknown>[]>(Object.entries(demo))
const kinds = ['members', 'volunteers', 'partners'] as const
const idOf = {
  members: 'memberId',
  volunteers: 'volunteerId',
  partners: 'partnerId',
  ...Object.fromEntries(structured.map(({ name, id }) => [name, id])),
}

afterEach(() => vi.useRealTimers())

test('there are records of every resource but the schemas', () => {
  const names = Object.keys(resources).filter((name) => name !== 'schemas')
  expect(Object.keys(demo).toSorted()).toEqual(names.toSorted())
  expect(Object.fromEntries([...given].map(([name, { length }]) => [name, length]))).toEqual({
    members: 400,
    volunteers: 40,
    partners: 15,
    events: 60,
    bookings: 3054,
    forms: 8,
    'survey-responses': 600,
    'case-notes': 148,
    funds: 4,
    'grant-applications': 120,
    disbursements: 150,
  })
})

test('they are the same at any time', () => {
  vi.useFakeTimers({ now: 0 })
  expect(collections()).toStrictEqual(demo)
})

test.each(structured)('$name are kept as they are given', ({ name, record, prepare }) => {
  for (const document of given.get(name) ?? []) {
    const kept = record.safeParse(prepare ? prepare(document) : document)
    expect(kept.error).toBeUndefined()
    expect(JSON.stringify(kept.data)).toBe(JSON.stringify(document))
    expect(document.managedBy).toBe(organisation.id)
  }
})

test.each(Object.entries(idOf))('no two %s have one %s', (name, id) => {
  const ids = (given.get(name) ?? []).map((document) => document[id])
  expect(ids).not.toContain(undefined)
  expect(new Set(ids).size).toBe(ids.length)
})

describe.each(kinds)('%s', (kind) => {
  const schema = parseSchema(kind, schemas[kind])
  const fields = schema.data?.fields.filter(({ type }) => type !== 'divider') ?? []

  test('have a schema whose every field somebody has, and no field besides', () => {
    expect(schema.error).toBeUndefined()
    const keys = new Set(demo[kind].flatMap((person) => Object.keys(person)))
    const derived = derivedFieldIds(fields)
    const given = fields.map(({ id }) => id).filter((id) => !derived.has(id))
    expect([...keys].toSorted()).toEqual([idOf[kind], ...given].toSorted())
  })

  test('have values of their fields’ types', () => {
    for (const person of given.get(kind) ?? []) {
      for (const { id, type, options } of fields) {
        const value = person[id]
        if (value === undefined) continue
        const [one] = [value].flat()
        if (type === 'date') expect(value).toMatch(/^\d{4}-\d\d-\d\d$/)
        expect(Array.isArray(value)).toBe(type === 'multipleSelect' || type === 'tags')
        expect(typeof one).toBe(type === 'number' || type === 'boolean' ? type : 'string')
        if (type === 'select' || type === 'multipleSelect') {
          const offered = options?.map(({ value }) => value)
          for (const chosen of [value].flat()) expect(offered).toContain(chosen)
        }
      }
    }
  })

  test('have a value of their own in a uniqueId', () => {
    for (const { id } of fields.filter(({ type }) => type === 'uniqueId')) {
      const values = (given.get(kind) ?? []).map((person) => person[id])
      expect(new Set(values).size).toBe(values.length)
    }
  })
})

test('nobody can be reached', () => {
  const text = JSON.stringify(demo)
  for (const [, domain] of text.matchAll(/[^"\s]@([^"\s]+)/g)) expect(domain).toBe('example.org')
  const ofcom = /^(07700 900|0113 496 0|0117 496 0|0161 496 0|020 7946 0|029 2018 0)\d{3}$/
  const phones = [...text.matchAll(/"[^"]*phone":"([^"]+)"/gi)].map(([, phone]) => phone)
  expect(phones.length).toBeGreaterThan(400)
  for (const phone of phones) expect(phone).toMatch(ofcom)
})

test('what refers to a record finds it', () => {
  const ids = (name: string, id: string) =>
    new Set((given.get(name) ?? []).map((record) => record[id]))
  const members = ids('members', 'memberId')
  const volunteers = ids('volunteers', 'volunteerId')
  const partners = ids('partners', 'partnerId')
  const events = ids('events', 'eventId')
  const forms = ids('forms', 'formId')
  const funds = ids('funds', 'fundId')
  const applications = ids('grant-applications', 'applicationId')
  const responses = ids('survey-responses', 'responseId')
  const lost: string[] = []
  const find = (found: Set<unknown>, ...references: (string | null)[]) => {
    for (const id of references) if (id !== null && !found.has(id)) lost.push(id)
  }
  for (const { parentEventId } of demo.events) find(events, parentEventId)
  for (const { eventId, childEventId, memberId } of demo.bookings) {
    find(events, eventId, childEventId)
    find(members, memberId)
  }
  for (const { assessmentFormId } of demo.forms) find(forms, assessmentFormId)
  for (const { surveyId } of demo['survey-responses']) find(forms, surveyId)
  for (const { linkedEntities } of [...demo['survey-responses'], ...demo['case-notes']]) {
    find(members, ...linkedEntities.memberIds)
    find(volunteers, ...linkedEntities.volunteerIds)
    find(partners, ...linkedEntities.partnerIds)
  }
  for (const { forms: used } of demo.funds) {
    find(forms, used.applicationFormId, used.assessmentFormId, ...used.monitoringFormIds)
  }
  for (const { fundId, granteeId, recipient, monitoring } of demo['grant-applications']) {
    find(funds, fundId)
    find(recipient.type === 'individual' ? members : partners, granteeId)
    if (recipient.type === 'organisation') find(partners, recipient.organisationId)
    for (const { monitoringFormId, submissions } of monitoring.requests) {
      find(forms, monitoringFormId)
      find(responses, ...submissions.map(({ interactionId }) => interactionId))
    }
  }
  for (const { grantId, fundId } of demo.disbursements) {
    find(applications, grantId)
    find(funds, fundId)
  }
  expect(lost).toEqual([])
})
