import { env } from 'cloudflare:workers'
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { expect, test } from 'vitest'
import { categoryProperties } from '../../src/access/field-categories.ts'
import type { Role } from '../../src/access/roles.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { setProperty } from '../../src/model/json.ts'
import { createSavedView } from '../../src/store/settings/saved-views.ts'
import { everything } from '../examples/everything.ts'
import { inDays, newRegister } from '../sign-up/register/signed-up.ts'
import { newSignedIn, unescaped } from './signed-in.ts'

/** Contact details of two generations, which replaced each other in every record. */
const planted = [1, 2].map((n) => ({
  email: `planted${n}@secret.test`,
  phone: `07700 90000${n}`,
  postcode: `ZE${n} 0AA`,
  'free text': `Call the planted neighbour ${n}`,
}))

type Values = (typeof planted)[number]

const hidden = ['email', 'phone', 'postcode', 'free text'] as const

const field = (id: string, type: string, order: number) => ({
  id,
  name: id,
  label: id,
  type,
  order,
})
const fields = [
  field('Full Name', 'text', 0),
  field('Email', 'email', 1),
  field('Phone', 'phone', 2),
  field('Postcode', 'postcode', 3),
  field('Home address', 'text', 4),
  field('Emergency contact phone', 'text', 5),
  field('Notes', 'custom', 6),
  field('Age', 'number', 7),
]

const personOf = (idName: string, id: string, name: string, values: Values) => ({
  [idName]: id,
  'Full Name': name,
  Email: values.email,
  Phone: values.phone,
  Postcode: values.postcode,
  'Home address': `1 Lane, ${values.postcode}`,
  'Emergency contact phone': values.phone,
  Notes: values['free text'],
  Age: 40,
})

const idNames = { members: 'memberId', volunteers: 'volunteerId', partners: 'partnerId' } as const

/** An example record with a contact detail in every property that may have one. */
function recordWith(collection: string, values: Values, managedBy: string) {
  const record = structuredClone(everything[collection]?.document ?? {}) as Record<string, unknown>
  if ('managedBy' in record) record.managedBy = managedBy
  for (const category of hidden)
    for (const path of categoryProperties[category][collection] ?? [])
      if (!path.startsWith('monitoring')) setProperty(record, path.split('.'), values[category])
  if (collection === 'survey-responses')
    record.responses = [
      ['contact', 'Where can we reach you?', 'text', values.email],
      ['phone', 'Your phone number', 'number', values.phone],
      ['Notes', 'Anything else?', 'textarea', values['free text']],
      ['where', 'Your postcode', 'select', values.postcode],
    ].map(([questionId, question, type, response]) => ({
      questionId,
      question,
      outcome: '',
      type,
      response,
    }))
  return record
}

/** An organisation with contact details in its records, their versions, sign-ups, messages and saved views. */
async function plant() {
  const register = await newRegister(fields, inDays(1))
  const { id: managedBy, send } = register
  for (const values of planted) {
    for (const [kind, idName] of Object.entries(idNames))
      for (const n of [1, 2])
        await send(
          'PUT',
          `/${kind}/${kind.slice(0, -1)}-${n}`,
          personOf(idName, `${kind.slice(0, -1)}-${n}`, `Ada ${n}`, values),
        )
    for (const collection of Object.keys(everything)) {
      if (collection in idNames) continue
      // The sign-up has the booking with the id of the example.
      const id = collection === 'bookings' ? 'example' : everything[collection]?.id
      const record = recordWith(collection, values, managedBy)
      const body = collection === 'bookings' ? { ...record, bookingId: id } : record
      const response = await send('PUT', `/${collection}/${id}`, body)
      if (response.status >= 400) throw new Error(await response.text())
    }
  }
  await send('DELETE', '/members/member-2')
  const [first] = planted
  if (!first) throw new Error('Nothing is planted.')
  await register.signUp({
    userName: 'Cem Ozan',
    contact: { name: 'Cem Ozan', email: first.email },
    answers: personOf('memberId', 'x', 'Cem Ozan', first),
    questionAnswers: { allergies: first['free text'] },
  })
  await createSavedView(operatorStore(env.DB, managedBy), {
    page: 'records/members',
    name: 'From there',
    query: new URLSearchParams({ Email: first.email }).toString(),
  })
  return register
}

/** Pages on which a reader finds every planted value. */
const whole = ['/records/members/member-1', '/records/members/member-1/history']

/** Pages that no link leads to, which name hidden fields or their values. */
const askedFor = [
  ...['Email', 'Notes'].flatMap((name) => [
    `/records/members?$orderby=${name}`,
    `/records/members?$columns=Full+Name&$columns=${name}`,
    `/records/csv/members?$columns=Full+Name&$columns=${name}`,
    `/records/xlsx/members?$columns=Full+Name&$columns=${name}`,
    `/reports/view?$count=members&$by=${name}`,
  ]),
  '/records/case-notes?$search=planted',
  '/records/members?$search=planted1',
  '/records/search?q=planted',
  ...['bookings/example', 'grant-applications/application-1', 'case-notes/note-1'].map(
    (record) => `/records/${record}/history`,
  ),
  '/records/members?Email=planted',
  '/records/members?Email~contains=planted&$panel=filter',
  '/records/bookings?$columns=userEmail',
  '/records/csv/survey-responses?$columns=responses',
  '/events/event/sheet/csv',
  '/events/event/sheet/xlsx',
  '/records/deleted',
  ...whole,
  '/records/members/member-2',
  '/records/members/member-2/history',
  '/records/members/member-1/export',
  '/events/event/sign-ups/csv',
  '/events/event/messages/write',
  '/forms/form-1/results/csv',
  '/forms/form-1/results/xlsx',
]

/** The kind of a page: its address without ids, with the open panel. */
function kindOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'https://x.test')
  return pathname.replaceAll(/-?\d+/g, '') + (searchParams.get('$panel') ?? '')
}

/** The text of a response; of a workbook or archive, the texts of its files. */
async function textOf(response: Response): Promise<string> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return new TextDecoder().decode(bytes)
  const entries = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()
  const texts = await Promise.all(
    entries.map((entry) => ('getData' in entry ? entry.getData?.(new TextWriter()) : '')),
  )
  return texts.join('\n')
}

/** Visits one page or download of each kind that a person of a role reaches, or only these. Returns the texts by address. */
async function visitAll(
  role: Role,
  register: Awaited<ReturnType<typeof plant>>,
  only?: readonly string[],
) {
  const { visit } = await newSignedIn(role, register)
  const base = `/dashboard/${register.id}`
  const seen = new Set<string>()
  const queue = only ? [...only] : ['/home', ...askedFor]
  const texts = new Map<string, string>()
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (texts.has(path)) continue
    const kind = kindOf(path)
    if (seen.has(kind) && !askedFor.includes(path)) continue
    seen.add(kind)
    const response = await visit(path)
    expect([path, response.status < 500]).toEqual([path, true])
    const text = await textOf(response)
    texts.set(path, text)
    const location = response.headers.get('Location')
    const links = [...text.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, href = '']) =>
      unescaped(href),
    )
    if (only) continue
    for (const link of location === null ? links : [location]) {
      const { pathname, search } = new URL(link, `https://x.test${base}${path}`)
      if (pathname.startsWith(`${base}/`)) queue.push(pathname.slice(base.length) + search)
    }
  }
  return texts
}

/** Each planted value with the addresses of the pages that show it. */
function findPlanted(texts: ReadonlyMap<string, string>): [string, string[]][] {
  const values = planted.flatMap((of) => Object.values(of))
  return values.map((value) => [
    value,
    [...texts].flatMap(([path, text]) =>
      text.includes(value) || unescaped(text).includes(encodeURIComponent(value)) ? [path] : [],
    ),
  ])
}

test('no page or download shows contact details to a reader without them', async () => {
  const register = await plant()
  const reader = await visitAll('reader', register, whole)
  expect(findPlanted(reader).filter(([, paths]) => paths.length === 0)).toEqual([])
  const limited = await visitAll('reader-without-contact-details', register)
  expect(findPlanted(limited).filter(([, paths]) => paths.length > 0)).toEqual([])
  expect(limited.size).toBeGreaterThan(100)
}, 120_000)
