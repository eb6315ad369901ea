import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { demoFolder } from '../../cli/demo-files.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { derivedFieldIds } from '../../src/model/properties/area-fields.ts'
import { resources } from '../../src/resources/resources.ts'
import { facts } from '../geography/facts.ts'
import { demo, records, schemas } from './demo/records.ts'

const idOf = {
  members: 'memberId',
  volunteers: 'volunteerId',
  partners: 'partnerId',
  ...Object.fromEntries(
    (await Promise.all(Object.values(resources).map((load) => load()))).flatMap(({ collection }) =>
      collection ? [[collection.name, collection.id]] : [],
    ),
  ),
}

test('there are records of every resource but the schemas, and two pages of lists', () => {
  expect(Object.keys(records).toSorted()).toEqual(collectionNames.toSorted())
  for (const of of Object.values(records)) expect(of.length).toBeGreaterThan(3)
  for (const name of ['members', 'bookings', 'survey-responses']) {
    expect(records[name]?.length).toBeGreaterThan(100)
  }
  expect(demo.members).toContainEqual(expect.objectContaining({ 'Full Name': 'Amara Abara' }))
})

test('the files are small enough to read, of every format, and of no organisation yet', () => {
  const files = readdirSync(demoFolder).filter((name) => statSync(join(demoFolder, name)).isFile())
  const sizes = files.map((name) => statSync(join(demoFolder, name)).size)
  expect(Math.max(...sizes)).toBeLessThan(100_000)
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(400_000)
  const formats = new Set(files.map((name) => name.split('.').at(-1)))
  expect([...formats].toSorted()).toEqual(['csv', 'json', 'ndjson'])
  const texts = files.map((name) => readFileSync(join(demoFolder, name), 'utf8'))
  expect(texts.filter((text) => text.includes('managedBy'))).toEqual([])
})

test.each(Object.entries(idOf))('%s have distinct %s', (name, id) => {
  const ids = (records[name] ?? []).map((document) => document[id])
  expect(ids).not.toContain(undefined)
  expect(new Set(ids).size).toBe(ids.length)
})

describe.each(['members', 'volunteers', 'partners'] as const)('%s', (kind) => {
  const fields = schemas[kind].fields.filter(({ type }) => type !== 'divider')

  test('have every field of their schema among them, and no field besides', () => {
    const keys = new Set((records[kind] ?? []).flatMap((person) => Object.keys(person)))
    const derived = derivedFieldIds(fields)
    const inputIds = fields.map(({ id }) => id).filter((id) => !derived.has(id))
    expect([...keys].toSorted()).toEqual([idOf[kind], ...inputIds].toSorted())
  })

  test('have values of their fields’ types', () => {
    for (const person of records[kind] ?? []) {
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

  test('have unique values in every uniqueId field', () => {
    for (const { id } of fields.filter(({ type }) => type === 'uniqueId')) {
      const values = (records[kind] ?? []).map((person) => person[id])
      expect(new Set(values).size).toBe(values.length)
    }
  })
})

test('nobody can be reached', () => {
  const text = JSON.stringify(records)
  for (const [, domain] of text.matchAll(/[^"\s]@([^"\s]+)/g)) expect(domain).toBe('example.org')
  const ofcom = /^(07700 900|0113 496 0|0117 496 0|0161 496 0|020 7946 0|029 2018 0)\d{3}$/
  const phones = [...text.matchAll(/"[^"]*phone":"([^"]+)"/gi)].map(([, phone]) => phone)
  expect(phones.length).toBeGreaterThan(150)
  for (const phone of phones) expect(phone).toMatch(ofcom)
})

test('the postcode of every person and venue can be placed', () => {
  const known = new Set(facts.map(({ postcode }) => postcode))
  const people = [...demo.members, ...demo.volunteers, ...demo.partners]
  const postcodes = [
    ...people.map((one) => one.Postcode),
    ...demo.events.map((one) => one.venue.postcode),
  ]
  expect(postcodes.filter((postcode) => !known.has(String(postcode)))).toEqual([])
})

test('what refers to a record finds it', () => {
  const ids = (name: string, id: string) =>
    new Set((records[name] ?? []).map((record) => record[id]))
  const members = ids('members', 'memberId')
  const volunteers = ids('volunteers', 'volunteerId')
  const partners = ids('partners', 'partnerId')
  const events = ids('events', 'eventId')
  const forms = ids('forms', 'formId')
  const funds = ids('funds', 'fundId')
  const applications = ids('grant-applications', 'applicationId')
  const responses = ids('survey-responses', 'responseId')
  const lost: string[] = []
  const find = (targets: Set<unknown>, ...references: (string | null)[]) => {
    for (const id of references) if (id !== null && !targets.has(id)) lost.push(id)
  }
  for (const { parentEventId } of demo.events) find(events, parentEventId)
  for (const { eventId, childEventId, memberId } of demo.bookings) {
    find(events, eventId, childEventId)
    find(members, memberId)
  }
  for (const { assessmentFormId } of demo.forms) find(forms, assessmentFormId)
  for (const { surveyId } of demo.responses) find(forms, surveyId)
  for (const { linkedEntities } of [...demo.responses, ...demo.caseNotes]) {
    find(members, ...linkedEntities.memberIds)
    find(volunteers, ...linkedEntities.volunteerIds)
    find(partners, ...linkedEntities.partnerIds)
  }
  for (const { forms: used } of demo.funds) {
    find(forms, used.applicationFormId, used.assessmentFormId, ...used.monitoringFormIds)
  }
  for (const { fundId, granteeId, recipient, monitoring } of demo.applications) {
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
