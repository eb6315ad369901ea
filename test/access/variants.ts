import { env } from 'cloudflare:workers'
import {
  categoryProperties,
  type FieldCategory,
  fieldCategories,
} from '../../src/access/field-categories.ts'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { type Field, isKind, kinds } from '../../src/model/properties/schema.ts'
import { withPostcodeKeys } from '../../src/records/person.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { everything } from '../examples/everything.ts'
import type { Writer } from '../resources/writing.ts'
import { rows } from '../store/whole-index.ts'

type Json = Record<string, unknown>

/** Two variants of the test data, which differ in every value that is hidden from a key. */
export type Variant = 'one' | 'other'

type SampleField = Omit<Field, 'order'> & { kind?: FieldCategory; values: unknown[] }

const long = 'Wherever I went, I met people who had time for me. '.repeat(4)

/** Fields of people, each with its category and three values. */
const sampleFields: SampleField[] = [
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
].map(
  ({ values, ...field }) => ({ name: field.id, label: field.id, ...field, values }) as SampleField,
)

const fields = sampleFields.map(({ values, kind, ...field }) => field)

const schema = { name: 'People', fields: parseSchema('members', { fields }).data?.fields ?? [] }

/** Paths of properties that restrictions can hide. */
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

/** Names that restrictions can hide: categories, field ids, groups of fields, and paths. */
export const hideableNames: string[] = [
  ...fieldCategories,
  ...fields.map(({ id }) => id),
  'demographics',
  ...paths,
]

/** The records of a variant, at least one per collection. Private notes differ throughout or are missing. */
export function variantRecords(
  world: Variant,
  restrictions: Restrictions,
  managedBy: string,
  places = [0, 1, 2],
) {
  return Object.entries(everything).flatMap(([collection, { id, document }]) =>
    places.map((index) => {
      const recordId = index === 0 ? id : `${id}-${index}`
      const record = isKind(collection)
        ? variantPerson(world, restrictions, collection, recordId, index)
        : variantRecord(
            world,
            restrictions,
            collection,
            { ...document, managedBy },
            [id, recordId],
            index,
          )
      return { collection, id: recordId, document: record }
    }),
  )
}

function variantPerson(
  world: Variant,
  restrictions: Restrictions,
  collection: string,
  id: string,
  index: number,
) {
  const kind = collection as keyof typeof kinds
  const hidden = restrictions.collections && !restrictions.collections.includes(collection)
  const values = sampleFields.flatMap(({ values, ...field }) => {
    const isOther = world === 'other' && (hidden || isHidden(field, restrictions.hideFields))
    // Some people have the value in one variant only.
    if (isOther && (index + field.id.length) % 3 === 0) return []
    if (!isOther && index === 2 && field.type === 'boolean') return []
    const value = values[index % 3]
    return [[field.id, isOther ? otherValue(value, field.type) : value] as const]
  })
  const person = { [kinds[kind].id]: id, ...Object.fromEntries(values) }
  return withPostcodeKeys(kind, schema, person)
}

function variantRecord(
  world: Variant,
  restrictions: Restrictions,
  collection: string,
  document: Json,
  [from, id]: [string, string],
  index: number,
): Json {
  const text = JSON.stringify(document).replaceAll(JSON.stringify(from), JSON.stringify(id))
  const record: Json = JSON.parse(text)
  if (collection === 'survey-responses') record.responses = answers(index)
  if (collection === 'case-notes') record.isPrivate = index !== 0
  if (world === 'one') return record
  const hidden = restrictions.collections && !restrictions.collections.includes(collection)
  const isPrivate = restrictions.privateNotes === false && record.isPrivate === true
  if (hidden || (collection === 'case-notes' && isPrivate)) {
    const { managedBy, ...others } = withOtherValues(record, () => true) as Json
    return { ...others, managedBy, [String(idNames[collection])]: id, isPrivate: record.isPrivate }
  }
  const hiddenPaths = (restrictions.hideFields ?? []).flatMap((name) =>
    fieldCategories.includes(name as FieldCategory)
      ? (categoryProperties[name as FieldCategory][collection] ?? [])
      : [name],
  )
  const variant = withOtherValues(record, (path) =>
    hiddenPaths.some((name) => path === name || path.startsWith(`${name}.`)),
  ) as Json
  if (collection === 'survey-responses' && !hiddenPaths.includes('responses'))
    variant.responses = (variant.responses as Json[]).map((answer) =>
      variantAnswer(answer, restrictions),
    )
  return variant
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

const answers = (index: number) =>
  [
    ['mail', 'Where may we write to?', 'text', `a${index}@x.test`],
    ['q1', 'What do you think?', 'textarea', `All of it ${index}`],
    ['q2', 'How many live with you?', 'number', index],
    ['demographics.age', 'How old are you?', 'number', 20 + index],
    ['q3', 'Your date of birth', 'date', '1990-01-01'],
    ['views', 'What do you like?', 'multiselect', ['a']],
    ['Language', 'Which language do you speak?', 'select', index === 1 ? null : 'Welsh'],
    ['again', 'Would you come again?', 'select', '5'],
  ].map(([questionId, question, type, response]) => ({
    questionId,
    question,
    outcome: '',
    type,
    response,
  }))

/** An answer of the second variant. Free text may belong to any category; an answer to a person's field has the category of the field. */
function variantAnswer(answer: Json, { hideFields = [] }: Restrictions): Json {
  const { questionId, type } = answer
  const words = ['text', 'textarea'].includes(String(type))
  const isKept = hideFields.some(
    (name) =>
      name === questionId ||
      String(questionId).startsWith(`${name}.`) ||
      (words && fieldCategories.includes(name as FieldCategory)) ||
      (name === 'date of birth' && type === 'date') ||
      (name === 'free text' && questionId === 'Language'),
  )
  return isKept ? { ...answer, response: otherValue(answer.response ?? 'Irish', '') } : answer
}

/** A record with other values at every hidden path. */
function withOtherValues(value: unknown, isKept: (path: string) => boolean, path = ''): unknown {
  if (Array.isArray(value)) {
    const inner = value.map((item) => withOtherValues(item, isKept, path))
    const areTexts = inner.length > 0 && inner.every((item) => typeof item === 'string')
    return isKept(path) && areTexts ? [...inner, 'x'] : inner
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, inner]) => {
      const at = path === '' ? name : `${path}.${name}`
      return [name, withOtherValues(inner, isKept, at)] as const
    })
    return Object.fromEntries(entries)
  }
  return isKept(path) ? otherValue(value, '') : value
}

function otherValue(value: unknown, type: string): unknown {
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

const isHidden = ({ id, kind }: Omit<SampleField, 'values'>, without: readonly string[] = []) =>
  without.some((name) => name === id || name === kind || id.startsWith(`${name}.`))

/** Fills an empty organisation with the records of the first variant. */
export async function putFirstVariant({ put, id }: Writer) {
  const records = Object.groupBy(variantRecords('one', {}, id), ({ collection }) => collection)
  for (const [collection, of] of Object.entries(records)) await put(collection, of ?? [])
}

/** Replaces every record by its variant, with the same versions and times. */
export async function switchVariant({ id }: Writer, variant: Variant, restrictions: Restrictions) {
  const key = 'WHERE organisation_id = ?1 AND collection = ?2 AND id = ?3'
  const [stored, [organisation]] = await Promise.all([
    rows('SELECT * FROM records WHERE organisation_id = ?', id),
    rows('SELECT version, changed FROM organisations WHERE id = ?', id),
  ])
  const statements = variantRecords(variant, restrictions, id).flatMap(
    ({ collection, id: recordId, document }) => {
      const text = JSON.stringify(document)
      const record = stored.find((row) => row.collection === collection && row.id === recordId)
      const isHiddenNote =
        collection === 'case-notes' &&
        restrictions.privateNotes === false &&
        document.isPrivate === true
      const bind = (sql: string, ...values: unknown[]) =>
        env.DB.prepare(`${sql} ${key}`).bind(id, collection, recordId, ...values)
      if (variant === 'other' && isHiddenNote && recordId.endsWith('-2'))
        return [bind('DELETE FROM records')]
      if (record?.document === text) return []
      return [
        bind('UPDATE records SET document = ?4, version = version + 1000000', text),
        bind('UPDATE records SET version = ?4, changed = ?5', record?.version, record?.changed),
      ]
    },
  )
  await env.DB.batch([
    ...statements,
    env.DB.prepare('DELETE FROM history WHERE organisation_id = ? AND version >= 1000000').bind(id),
    env.DB.prepare('UPDATE organisations SET version = ?2, changed = ?3 WHERE id = ?1').bind(
      id,
      organisation?.version,
      organisation?.changed,
    ),
  ])
}

export { fields }
