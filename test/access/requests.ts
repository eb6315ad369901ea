import type { Restrictions } from '../../src/access/restrictions.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { isInternalKey, isKind } from '../../src/model/properties/schema.ts'
import { namedReferences } from '../../src/model/references.ts'
import { assignNames, toSetName } from '../../src/odata/names.ts'
import { collections, type Writer } from '../resources/writing.ts'
import { fields, variantRecords } from './variants.ts'

export type TestRequest = {
  /** Another service than the API. */
  service?: 'odata' | 'assistant' | 'dashboard'
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

const idNames = new Map(collections.map(([name, , idName]) => [name, idName]))

/** Builds the requests of each topic, which read the records of both variants and change nothing. */
export function allRequests(
  writer: Writer,
  restrictions: Restrictions,
): Record<string, () => TestRequest[]> {
  const one = variantRecords('one', restrictions, writer.id)
  const other = variantRecords('other', restrictions, writer.id)
  return {
    lists: () =>
      collections.flatMap(([name, , idName]) => listRequests(name, idName, [...one, ...other])),
    summaries: () => collections.flatMap(([name]) => summaryRequests(name, [...one, ...other])),
    applied: () =>
      collections.flatMap(([name]) => applyRequests(name, idNames, [...one, ...other])),
    assistant: () => collections.flatMap(([name]) => summariseRequests(name, [...one, ...other])),
    pages: () => collections.flatMap(([name]) => pageRequests(name, [...one, ...other])),
    others: () => otherRequests(writer),
    singles: () =>
      one.flatMap(({ collection, id, document }) => singleRequests(collection, id, document)),
    writes: () =>
      one.flatMap(({ collection, id, document }, index) =>
        writeRequests(collection, id, document, other[index]?.document ?? {}),
      ),
    values: () =>
      [...one, ...other].flatMap(({ collection, document }) =>
        validationRequests(collection, document),
      ),
    files: () => collectionNames.flatMap((name) => importRequests(name, one)),
  }
}

/** Requests built from earlier responses: writing a record back, and reading on in the change feed. */
export async function requestsFromResponses(
  requests: readonly TestRequest[],
  send: (requests: TestRequest) => Promise<{ status: number; body: string }>,
): Promise<TestRequest[]> {
  const followed = await send({ method: 'GET', path: '/changes?limit=2' })
  const { next = 'latest' } = followed.status === 200 ? JSON.parse(followed.body) : {}
  const back = await Promise.all(
    requests.map(async ({ path }): Promise<TestRequest[]> => {
      const { status, body } = await send({ method: 'GET', path })
      if (status !== 200) return [{ method: 'PATCH', path, body: {} }]
      const [record] = Object.values(JSON.parse(body))
      const [, name = ''] = path.split('/')
      return [
        { method: 'PUT', path, body: record },
        { method: 'PATCH', path, body: record },
        { method: 'PATCH', path: `/${name}`, body: { [pluralKey(name)]: [record] } },
      ]
    }),
  )
  const feed = ['', '&$include=records', '&collections=members,case-notes']
  return [
    ...back.flat(),
    ...feed.map((it) => ({ method: 'GET', path: `/changes?$after=${next}${it}` })),
  ]
}

/** A record of a variant. */
type VariantRecord = ReturnType<typeof variantRecords>[number]

function listRequests(
  name: string,
  idName: string,
  worlds: readonly VariantRecord[],
): TestRequest[] {
  const valuesByPath = new Map<string, Set<string>>()
  for (const { collection, document } of worlds) {
    if (collection === name)
      for (const [path, value] of leaves(document)) addValue(valuesByPath, path, value)
  }
  const filters = [...valuesByPath].flatMap(([path, values]) =>
    [...values].map((value) => new URLSearchParams({ [path]: value })),
  )
  const near = [...valuesByPath.keys()].map((path) => new URLSearchParams({ [`${path}x`]: '1' }))
  const namedQueries = [...namedFilters(name, valuesByPath)].map(
    (query) => new URLSearchParams(query),
  )
  const additions = [...valuesByPath.keys()].flatMap((path) =>
    ['$orderby', '$select', '$search'].map((it) => new URLSearchParams({ [it]: path })),
  )
  const id = worlds.find(({ collection }) => collection === name)?.id
  const paths = [
    ...['', '?$include=times', '?$format=csv&$labels=true', '?$format=ndjson', '?limit=1&offset=1']
      .concat('?$format=csv&$bom=true&$formulas=raw', '?$format=ndjson&$include=times&limit=2')
      .concat('?$updatedFrom=2020-01-01', '?$createdTo=2020-01-01', '?$updatedFrom=2020&x=1')
      .map((query) => `/${name}${query}`),
    ...[...filters, ...near, ...namedQueries, ...additions].map((query) => `/${name}?${query}`),
    ...filters.map((query) => `/${name}?${query}&${idName}=${id}&$format=csv`),
    ...filters.map((query) => `/${name}?${query}&$updatedFrom=2020-01-01&$include=times`),
    ...filters.map((query, index) => `/${name}?${query}&${filters.at(index - 7)}`),
  ]
  return [
    ...paths.map((path) => ({ method: 'GET', path })),
    ...['text/csv', 'application/x-ndjson'].map((Accept) => ({
      method: 'GET',
      path: `/${name}`,
      headers: { Accept },
    })),
    { method: 'HEAD', path: `/${name}` },
  ]
}

/** The paths of the properties that records of a collection have in any variant. */
const pathsOf = (name: string, worlds: readonly VariantRecord[]): string[] => {
  const documents = worlds.filter(({ collection }) => collection === name)
  return [
    ...new Set(documents.flatMap(({ document }) => [...leaves(document)].map(([path]) => path))),
  ]
}

/** The names of properties in summaries, also of referenced records. */
function summaryNames(name: string, worlds: readonly VariantRecord[]): string[] {
  const referenced = namedReferences(name).flatMap((reference) =>
    pathsOf(reference.to, worlds).map((path) => `${reference.name}.${path}`),
  )
  return [...new Set([...pathsOf(name, worlds), ...referenced])].map((path) => `"${path}"`)
}

/** Summaries that group by each property, also of referenced records, and measure it. */
function summaryRequests(name: string, worlds: readonly VariantRecord[]): TestRequest[] {
  const queries = summaryNames(name, worlds).flatMap((path): Record<string, string>[] => [
    { $by: path, $measures: 'count,people' },
    { $by: `month(${path})` },
    { $by: `age(${path})`, $hideBelow: '2' },
    { $measures: `distinct(${path}),min(${path})` },
    { $measures: `sum(${path}),average(${path}),median(${path})` },
    { $measures: `share(${path}),known(${path})` },
    { $measures: `averageFirst(${path}),averageLast(${path})`, $by: path },
    { $having: `distinct(${path}) ge 1`, $format: 'csv' },
    { $filter: `${path} ne null`, $measures: 'peopleWithAtLeast(1)' },
  ])
  return ['', '$measures=count,people', ...queries].map((query) => ({
    method: 'GET',
    path: `/${name}/$summary?${new URLSearchParams(query)}`,
  }))
}

const applyMethods = [
  ...['sum', 'average', 'min', 'max', 'countdistinct'],
  ...['median', 'share', 'averageFirst', 'averageLast'].map((name) => `DataPlatform.${name}`),
]

/** `$apply` that filters by each property, also of referenced records, groups by it, and aggregates it with each method. */
function applyRequests(
  name: string,
  idNames: ReadonlyMap<string, string>,
  worlds: readonly VariantRecord[],
): TestRequest[] {
  const namesOf = (collection: string) => [
    ...assignNames(idNames.get(collection) ?? '', pathsOf(collection, worlds)).values(),
  ]
  const names = [
    ...namesOf(name),
    ...namedReferences(name).flatMap((reference) =>
      namesOf(reference.to).map((property) => `${reference.name}/${property}`),
    ),
  ]
  const texts = names.flatMap((property, index) => {
    const aggregates = applyMethods.map((method) => `aggregate(${property} with ${method} as It)`)
    const [previous = ''] = names.slice(index - 1)
    return [
      ...aggregates,
      `groupby((${property}),aggregate($count as It))`,
      `groupby((${previous},${property}))`,
      ...aggregates.map((aggregate) => `groupby((${previous}),${aggregate})`),
      `filter(${property} ne null)/aggregate($count as It)`,
      `filter(${property} ne null)/groupby((${previous}),aggregate($count as It))`,
      `groupby((${previous},${property}),aggregate($count as n))/filter(n ge 2)/groupby((${previous}),aggregate($count as It))`,
      `groupby((${previous},${property}))/filter(${property} ne null)/aggregate(${property} with max as It)`,
      `compute(DataPlatform.month(${property}) as Month)/groupby((Month),aggregate($count as It))`,
    ]
  })
  return ['aggregate($count as It)', ...texts].map((text) => ({
    service: 'odata',
    method: 'GET',
    path: `${toSetName(name)}?${new URLSearchParams({ $apply: text })}`,
  }))
}

/** Calls of the assistants' `summarise`. */
function summariseRequests(collection: string, worlds: readonly VariantRecord[]): TestRequest[] {
  const inputs = summaryNames(collection, worlds).flatMap((path) => [
    { by: path, measures: 'count,people' },
    { measures: `distinct(${path}),min(${path})` },
    { measures: `sum(${path}),share(${path})`, came: true },
    { by: path, having: `distinct(${path}) ge 1`, hideBelow: 2 },
    { filter: `${path} ne null`, measures: 'peopleWithAtLeast(1)' },
  ])
  return [{}, ...inputs].map((input) => ({
    service: 'assistant',
    method: 'POST',
    path: '/mcp',
    body: { name: 'summarise', arguments: { collection, ...input } },
  }))
}

function otherRequests(writer: Writer): TestRequest[] {
  const ids = fields.map(({ id }) => id).join(',')
  return [
    ...['members', 'volunteers', 'partners'].map((kind) => `/schemas/${writer.id}?kind=${kind}`),
    ...['', `&profileFields=${ids}`].flatMap((chosen) => [
      `/bookings?limit=2${chosen}`,
      `/bookings?$format=csv${chosen}`,
      `/bookings?$format=ndjson${chosen}`,
      `/bookings/booking-1?${chosen.slice(1)}`,
    ]),
    ...['', '$include=records', '$after=latest', 'limit=3&$include=records'].map(
      (it) => `/changes?${it}`,
    ),
    ...collectionNames.map((name) => `/changes?collections=${name}&$include=records`),
  ].map((path) => ({ method: 'GET', path }))
}

/** Requests for one record with preconditions. No record still has its first version. */
function singleRequests(collection: string, id: string, document: object): TestRequest[] {
  const path = `/${collection}/${id}`
  const isPrivate = 'isPrivate' in document && document.isPrivate === true
  return [
    { method: 'GET', path },
    { method: 'GET', path, headers: { 'If-None-Match': '*' } },
    { method: 'GET', path, headers: { 'If-None-Match': '"1", W/"2", "3"' } },
    { method: 'GET', path: `/${collection}/nobody` },
    ...(isKind(collection)
      ? [
          { method: 'GET', path: `${path}/$everything` },
          { method: 'POST', path: `${path}/$merge`, body: { from: 'nobody' } },
        ]
      : []),
    { method: 'PATCH', path, body: {}, headers: { 'If-Match': '*' } },
    ...['PUT', 'PATCH', 'DELETE'].map((method) => ({
      method,
      path,
      headers: { 'If-Match': '"0"' },
      ...(method !== 'DELETE' && { body: {} }),
    })),
    // A key with the `write` permission learns whether an id is in use (SECURITY.md).
    ...(isPrivate ? [] : [{ method: 'PUT', path, body: {}, headers: { 'If-None-Match': '*' } }]),
  ]
}

/** Writes of one record that change nothing or are rejected. */
function writeRequests(
  collection: string,
  id: string,
  document: object,
  other: object,
): TestRequest[] {
  const path = `/${collection}/${id}`
  const theirs = new Map(Object.entries(other))
  const differing = Object.entries(document).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(theirs.get(name)) && !isInternalKey(name),
  )
  return [
    { method: 'PATCH', path, body: {} },
    ...differing.map(([name, value]) => ({ method: 'PATCH', path, body: { [name]: value } })),
  ]
}

/** New records with existing values and an unknown field, so that they are rejected with validation errors; and unique values in use. */
function validationRequests(collection: string, document: object): TestRequest[] {
  // A key with the `write` permission learns whether an id is in use (SECURITY.md).
  const entries = Object.entries(document).filter(
    ([name]) => !isInternalKey(name) && name !== 'noteId',
  )
  return entries.flatMap(([name, value]) => {
    const body = { [name]: value, 'no such': 'field' }
    const unique = { Number: value }
    return [
      { method: 'POST', path: `/${collection}`, body },
      { method: 'PUT', path: `/${collection}/new`, body },
      { method: 'PATCH', path: `/${collection}`, body: { [pluralKey(collection)]: [body] } },
      { method: 'PUT', path: `/${collection}?$by=${encodeURIComponent(name)}`, body },
      ...(name === 'Number'
        ? [
            { method: 'POST', path: `/${collection}`, body: unique },
            { method: 'PUT', path: `/${collection}/new`, body: unique },
          ]
        : []),
    ]
  })
}

/** Pages and downloads of the dashboard that search, filter, order, choose and count by each property. */
function pageRequests(name: string, worlds: readonly VariantRecord[]): TestRequest[] {
  const records = worlds.filter(({ collection }) => collection === name)
  const values = records.flatMap(({ document }) => [...leaves(document)])
  const queries = values.flatMap(([path, value]): Record<string, string>[] => [
    { [path]: value },
    { [`${path}~contains`]: value.slice(1, 6) },
    { $search: value },
    { $orderby: path, $columns: path },
  ])
  const lists = queries.map((query) => `${name}?${new URLSearchParams(query)}`)
  const paths = [
    ...lists.flatMap((list) => [`/records/${list}`, `/records/csv/${list}`]),
    ...lists.map((list) => `/records/${list}&$panel=filter`),
    ...values.flatMap(([path, value]) => [
      `/records/search?${new URLSearchParams({ q: value })}`,
      `/records/pick/${name}?${new URLSearchParams({ q: value })}`,
      `/reports/view?${new URLSearchParams({ $count: name, $by: path })}`,
    ]),
    ...records.flatMap(({ id }) => ['', '/history'].map((page) => `/records/${name}/${id}${page}`)),
    ...['/reports', '/reports/quality', '/reports/quality/csv', '/reports/annual-return'],
    ...['/forms/form-1/results', '/forms/form-1/results/csv', '/reports/surveys', '/events'],
  ]
  return [...new Set(paths)].map((path) => ({ service: 'dashboard', method: 'GET', path }))
}

/** Dry runs of imports. */
function importRequests(name: string, records: readonly VariantRecord[]): TestRequest[] {
  const body = records
    .filter(({ collection }) => collection === name)
    .map(({ document }) =>
      Object.fromEntries(Object.entries(document).filter(([key]) => !isInternalKey(key))),
    )
  return [body, body.map((record) => ({ ...record, 'no such': 'field' }))].map((body) => ({
    method: 'POST',
    path: `/imports?collection=${name}&$dryRun=true`,
    body,
  }))
}

/** The key of a list of records. */
const pluralKey = (name: string) => `${collections.find(([one]) => one === name)?.[1]}s`

function* leaves(value: unknown, path = ''): Generator<[string, string]> {
  if (Array.isArray(value)) for (const item of value) yield* leaves(item, path)
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      yield* leaves(inner, path === '' ? name : `${path}.${name}`)
  else if (!isInternalKey(path)) yield [path, String(value)]
}

function addValue(valuesByPath: Map<string, Set<string>>, path: string, value: string) {
  valuesByPath.set(path, (valuesByPath.get(path) ?? new Set()).add(value))
}

/** The named filters with another name than their field, and values of that field. */
function* namedFilters(name: string, valuesByPath: ReadonlyMap<string, Set<string>>) {
  const names: Record<string, [string, string][]> = {
    volunteers: [
      ['postcode', 'Postcode'],
      ['postcode', 'home.postcode'],
    ],
    partners: [['postcode', 'Postcode']],
    'survey-responses': [['SurveyId', 'surveyId']],
    'case-notes': [
      ['Creator', 'creator'],
      ['Pinned', 'isPinned'],
      ['Private', 'isPrivate'],
    ],
    'grant-applications': [['recipientOrgId', 'recipient.organisationId']],
  }
  for (const [filter, field] of names[name] ?? [])
    for (const value of valuesByPath.get(field) ?? []) yield { [filter]: value }
}
