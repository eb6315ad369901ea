import { env } from 'cloudflare:workers'
import {
  categoryProperties,
  type FieldCategory,
  fieldCategories,
} from '../../src/access/field-categories.ts'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { type Field, isKind, kinds } from '../../src/model/properties/schema.ts'
import { withPostcodeKeys } from '../../src/records/person.ts'
import { parseSchema } from '../../src/records/schema.ts'
import { everything } from '../examples/everything.ts'
import type { Writer } from '../resources/writing.ts'

type Json = Record<string, unknown>

/** Two worlds: every value that is kept from a key is another in each. */
export type World = 'one' | 'other'

type Drawn = Omit<Field, 'order'> & { kind?: FieldCategory; values: unknown[] }

const long = 'Wherever I went, I met people who had time for me. '.repeat(4)

/** Fields of people, each with the kind it is of and three values of its own. */
const drawn: Drawn[] = [
  { id: 'Full Name', kind: 'names', type: 'text', values: ['Ada Obi', 'Bea Lim', 'Cy Poe'] },
  { id: 'mail', kind: 'email', type: 'email', values: ['a@x.test', 'b@x.test', 'c@x.test'] },
  { id: 'carer', label: "Carer's e-mail", kind: 'email', type: 'text', values: ['d', 'e', 'f'] },
  { id: 'Mobile', kind: 'phone', type: 'text', values: ['07700900123', '07700900456', '0770090'] },
  {
    id: 'Phone',
    kind: 'phone',
    type: 'phone',
    values: ['07700 900123', '07700 900456', '1234567'],
  },
  {
    id: 'Postcode',
    kind: 'postcode',
    type: 'postcode',
    values: ['SW1A 1AA', 'LS11 0ES', 'M1 1AE'],
  },
  {
    id: 'home.postcode',
    kind: 'postcode',
    type: 'postcode',
    values: ['N1 9GU', 'E1 6AN', 'G1 1AA'],
  },
  {
    id: 'dob',
    kind: 'date of birth',
    type: 'date',
    values: ['1980-01-01', '1990-02-02', '2000-03-03'],
  },
  { id: 'Notes', kind: 'free text', type: 'custom', values: ['shy', 'loud', long] },
  { id: 'motto', kind: 'free text', type: 'text', values: [long, `${long}!`, 'short'] },
  {
    id: 'Language',
    kind: 'free text',
    type: 'selectAndOther',
    values: ['Welsh', 'Urdu', 'Cornish'],
  },
  { id: 'demographics.age', type: 'number', values: [20, 30, 40] },
  { id: 'demographics.income', type: 'number', values: [1, 2, 3] },
  { id: 'consent', type: 'boolean', values: [true, false, true] },
  { id: 'Number', type: 'uniqueId', values: ['n-1', 'n-2', 'n-3'] },
  { id: 'views', type: 'tags', values: [['a'], ['b'], ['a', 'b']] },
].map(({ values, ...field }) => ({ name: field.id, label: field.id, ...field, values }) as Drawn)

const fields = drawn.map(({ values, kind, ...field }) => field)

const schema = { name: 'People', fields: parseSchema('members', { fields }).data?.fields ?? [] }

/** Paths of properties that some key is kept from. */
const paths = [
  'venue',
  'bookingDetails.price',
  'tags',
  'memberId',
  'start',
  'userEmail',
  'attending',
  'customPrice',
  'questions',
  'deadline',
  'responses',
  'responses.response',
  'surveyScore',
  'linkedEntities',
  'creator',
  'isPinned',
  'contact',
  'financials.totalAmount',
  'assessors.groups',
  'recipient.name',
  'monitoring.requests',
  'amountApplied',
  'bankAccount',
  'notes',
  'updated',
]

/** What a key may be kept from: kinds, ids of fields, groups of them, and paths. */
export const keepable: string[] = [
  ...fieldCategories,
  ...fields.map(({ id }) => id),
  'demographics',
  ...paths,
]

/** A record of each collection and more, as they are in a world; private notes differ throughout, or are not there. */
export function recordsIn(
  world: World,
  limits: Restrictions,
  managedBy: string,
  places = [0, 1, 2],
) {
  return Object.entries(everything).flatMap(([collection, { id, document }]) =>
    places.map((place) => {
      const own = place === 0 ? id : `${id}-${place}`
      const record = isKind(collection)
        ? personIn(world, limits, collection, own, place)
        : recordIn(world, limits, collection, { ...document, managedBy }, [id, own], place)
      return { collection, id: own, document: record }
    }),
  )
}

function personIn(
  world: World,
  limits: Restrictions,
  collection: string,
  id: string,
  place: number,
) {
  const kind = collection as keyof typeof kinds
  const hidden = limits.collections && !limits.collections.includes(collection)
  const values = drawn.flatMap(({ values, ...field }) => {
    const isOther = world === 'other' && (hidden || isKept(field, limits.without))
    // Of some people there is no value in one of the worlds.
    if (isOther && (place + field.id.length) % 3 === 0) return []
    if (!isOther && place === 2 && field.type === 'boolean') return []
    const value = values[place % 3]
    return [[field.id, isOther ? otherThan(value, field.type) : value] as const]
  })
  const person = { [kinds[kind].id]: id, ...Object.fromEntries(values) }
  return withPostcodeKeys(kind, schema, person)
}

function recordIn(
  world: World,
  limits: Restrictions,
  collection: string,
  document: Json,
  [from, id]: [string, string],
  place: number,
): Json {
  const text = JSON.stringify(document).replaceAll(JSON.stringify(from), JSON.stringify(id))
  const record: Json = JSON.parse(text)
  if (collection === 'survey-responses') record.responses = answers(place)
  if (collection === 'case-notes') record.isPrivate = place !== 0
  if (world === 'one') return record
  const hidden = limits.collections && !limits.collections.includes(collection)
  const isPrivate = limits.privateNotes === false && record.isPrivate === true
  if (hidden || (collection === 'case-notes' && isPrivate)) {
    const { managedBy, ...others } = other(record, () => true) as Json
    return { ...others, managedBy, [String(idNames[collection])]: id, isPrivate: record.isPrivate }
  }
  const named = (limits.without ?? []).flatMap((name) =>
    fieldCategories.includes(name as FieldCategory)
      ? (categoryProperties[name as FieldCategory][collection] ?? [])
      : [name],
  )
  const kept = other(record, (path) =>
    named.some((name) => path === name || path.startsWith(`${name}.`)),
  ) as Json
  if (collection === 'survey-responses' && !named.includes('responses'))
    kept.responses = (kept.responses as Json[]).map((answer) => answerIn(answer, limits))
  return kept
}

const idNames: Record<string, string> = {
  events: 'eventId',
  bookings: 'bookingId',
  forms: 'formId',
  'survey-responses': 'responseId',
  'case-notes': 'noteId',
  funds: 'fundId',
  'grant-applications': 'applicationId',
  disbursements: 'disbursementId',
}

const answers = (place: number) =>
  [
    ['mail', 'Where may we write to?', 'text', `a${place}@x.test`],
    ['q1', 'What do you think?', 'textarea', `All of it ${place}`],
    ['q2', 'How many live with you?', 'number', place],
    ['demographics.age', 'How old are you?', 'number', 20 + place],
    ['q3', 'Your date of birth', 'date', '1990-01-01'],
    ['views', 'What do you like?', 'multiselect', ['a']],
    ['Language', 'Which language do you speak?', 'select', place === 1 ? null : 'Welsh'],
    ['again', 'Would you come again?', 'select', '5'],
  ].map(([questionId, question, type, response]) => ({
    questionId,
    question,
    outcome: '',
    type,
    response,
  }))

/** An answer in the other world: in words it may be of any kind, and to a person's field it is like that field. */
function answerIn(answer: Json, { without = [] }: Restrictions): Json {
  const { questionId, type } = answer
  const words = ['text', 'textarea'].includes(String(type))
  const isKept = without.some(
    (name) =>
      name === questionId ||
      String(questionId).startsWith(`${name}.`) ||
      (words && fieldCategories.includes(name as FieldCategory)) ||
      (name === 'date of birth' && type === 'date') ||
      (name === 'free text' && questionId === 'Language'),
  )
  return isKept ? { ...answer, response: otherThan(answer.response ?? 'Irish', '') } : answer
}

/** A record with other values wherever a path is kept. */
function other(value: unknown, isKept: (path: string) => boolean, path = ''): unknown {
  if (Array.isArray(value)) {
    const inner = value.map((item) => other(item, isKept, path))
    const areTexts = inner.length > 0 && inner.every((item) => typeof item === 'string')
    return isKept(path) && areTexts ? [...inner, 'x'] : inner
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, inner]) => {
      const at = path === '' ? name : `${path}.${name}`
      return [name, other(inner, isKept, at)] as const
    })
    return Object.fromEntries(entries)
  }
  return isKept(path) ? otherThan(value, '') : value
}

function otherThan(value: unknown, type: string): unknown {
  if (typeof value === 'number') return value + 7
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return [...value, 'hidden']
  if (typeof value !== 'string') return value
  if (/^\d{4}-\d\d-\d\d/.test(value)) return `1931${value.slice(4)}`
  if (/^\*{4}/.test(value)) return value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))
  if (type === 'email') return `hidden-${value}`
  if (type === 'phone') return `${value}77`
  return type === 'postcode' ? 'ZE1 0AA' : `Hidden ${value}`
}

const isKept = ({ id, kind }: Omit<Drawn, 'values'>, without: readonly string[] = []) =>
  without.some((name) => name === id || name === kind || id.startsWith(`${name}.`))

/** Gives an organisation the records of a world, none of which it has. */
export async function put({ put, id }: Writer, limits: Restrictions) {
  const records = Object.groupBy(recordsIn('one', limits, id), ({ collection }) => collection)
  for (const [collection, of] of Object.entries(records)) await put(collection, of ?? [])
}

/** Makes of the one world the other, as if it had never been: no version and no time tells. */
export async function change({ id }: Writer, limits: Restrictions) {
  const of = 'WHERE organisation_id = ?1 AND collection = ?2 AND id = ?3'
  const before = await env.DB.prepare('SELECT version, changed FROM organisations WHERE id = ?')
    .bind(id)
    .first<{ version: number; changed: string }>()
  for (const { collection, id: own, document } of recordsIn('other', limits, id)) {
    const isPrivate = limits.privateNotes === false && document.isPrivate === true
    if (collection === 'case-notes' && isPrivate && own.endsWith('-2')) {
      await env.DB.prepare(`DELETE FROM records ${of}`).bind(id, collection, own).run()
      continue
    }
    const known = await env.DB.prepare(`SELECT version, changed FROM records ${of}`)
      .bind(id, collection, own)
      .first<{ version: number; changed: string }>()
    await env.DB.batch([
      env.DB.prepare(`UPDATE records SET document = ?4, version = version + 1000000 ${of}`).bind(
        id,
        collection,
        own,
        JSON.stringify(document),
      ),
      env.DB.prepare(`UPDATE records SET version = ?4, changed = ?5 ${of}`).bind(
        id,
        collection,
        own,
        known?.version,
        known?.changed,
      ),
    ])
  }
  await env.DB.prepare('UPDATE organisations SET version = ?2, changed = ?3 WHERE id = ?1')
    .bind(id, before?.version, before?.changed)
    .run()
}

export { fields }
