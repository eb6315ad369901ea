import fc from 'fast-check'
import { derivedFieldIds } from '../../src/model/properties/area-fields.ts'
import type { Field, Schema } from '../../src/model/properties/schema.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { texts } from '../model/tricky-values.ts'

/** A value for a field, whether it is valid, and how the body refers to the field. */
type FieldValue = { value: unknown; fits: boolean; byName: boolean; nested: boolean }

const valid = (arbitrary: fc.Arbitrary<unknown>) =>
  arbitrary.map((value) => ({ value, fits: true }))
const invalid = (arbitrary: fc.Arbitrary<unknown>) =>
  arbitrary.map((value) => ({ value, fits: false }))

const options = ['a', 'A', ' a', 'TRUE', '__proto__', '\ud800']
const offered = fc.constantFrom(...options)
const none = valid(fc.constantFrom(null, '', []))
const noText = invalid(fc.constantFrom(0, 7, true, ['a'], { a: 'a' }, [[]]))
const text = fc.oneof(valid(texts), noText)
const unique = ['7', '07', 'A', ' a', '\ud800', '\ufffd', 'é'.repeat(200), `${'é'.repeat(200)}!`]
const digits = fc.constantFrom('07700 900123', '+44 (0)7700-900123', '123456')
const phone = fc.oneof(
  valid(digits),
  invalid(fc.constantFrom('12345', '1'.repeat(21), 'none', 123456)),
)
const several = fc.oneof(
  valid(fc.array(offered, { minLength: 1, maxLength: 4 })),
  invalid(fc.constantFrom(['b'], 'a', ['a', 7], [['a']], [null], [''], { 0: 'a' })),
)

/** Values by field type. */
const valuesOf = {
  text,
  custom: text,
  school: text,
  benefits: text,
  country: text,
  selectAndOther: text,
  // Few, so that some are in use already.
  uniqueId: fc.oneof(valid(fc.constantFrom(...unique)), noText),
  phone,
  phoneNumber: phone,
  number: fc.oneof(
    valid(fc.double({ noNaN: true, noDefaultInfinity: true })),
    valid(fc.maxSafeInteger()),
    invalid(fc.constantFrom('7', '1e3', true, [7], { a: 7 })),
  ),
  boolean: fc.oneof(valid(fc.boolean()), invalid(fc.constantFrom('true', 'TRUE', 0, 1, [true]))),
  date: fc.oneof(
    valid(fc.constantFrom('2024-02-29', '1900-01-01')),
    invalid(fc.constantFrom('2025-02-29', '2025-2-1', '01/02/2025', '2025-01-01T00:00', 20250101)),
  ),
  email: fc.oneof(
    valid(fc.constantFrom("o'hara+x@example.org", 'a@b.example.org')),
    invalid(fc.constantFrom('nobody', 'a@b', ' a@example.org', 'a@example.org,b@example.org', 7)),
  ),
  postcode: fc.oneof(
    valid(fc.constantFrom('75001', ' zz1 1zz ', 'é'.repeat(16))),
    invalid(fc.constantFrom('1'.repeat(17), 75001)),
  ),
  select: fc.oneof(valid(offered), invalid(fc.constantFrom('b', 'a ', ['a'], 7))),
  multipleSelect: several,
  tags: several,
  divider: invalid(fc.constantFrom(null, '', 'a', 7)),
} as const

type Type = keyof typeof valuesOf

const ids = fc.constantFrom(
  ...['a', 'A', 'a.b', 'a.b.c', 'x.y', 'x', '__proto__', 'constructor', 'say "hi"', 'a[0]', ' '],
)

const types = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Type>(...(Object.keys(valuesOf) as Type[])) },
  { weight: 1, arbitrary: fc.constant<Type>('uniqueId') },
)

const fields = fc.tuple(ids, fc.oneof(ids, fc.constant('Name')), types).map(([id, name, type]) => {
  const choice = ['select', 'multipleSelect', 'tags'].includes(type) && { options }
  return { id, name, type, ...choice }
})

/** Schemas of members with fields of every type and tricky ids. */
export const schemas = fc
  .uniqueArray(fields, { selector: ({ id }) => id, minLength: 1, maxLength: 6 })
  .map((fields) => parseSchema('members', { fields }).data)
  .filter((schema) => schema !== undefined)

/** Bodies for a schema as JSON text, with the fields of the created member; undefined if the body is invalid. */
export function bodiesOf(schema: Schema) {
  const derived = derivedFieldIds(schema.fields)
  const inputs = schema.fields.filter(({ id }) => !derived.has(id)).map(inputFor)
  return fc.tuple(...inputs).map((all) => {
    const inputs = all.filter((it) => it !== undefined)
    return { body: buildBody(schema, inputs), shown: expectedFields(schema, inputs) }
  })
}

/** A schema, a body, and the fields of the created member. */
export const bodies = schemas.chain((schema) =>
  bodiesOf(schema).map((body) => ({ schema, ...body })),
)

function inputFor({ id, type }: Field): fc.Arbitrary<InputField | undefined> {
  const fitting: fc.Arbitrary<{ value: unknown; fits: boolean }> =
    type === 'divider' ? valuesOf[type] : fc.oneof({ weight: 6, arbitrary: valuesOf[type] }, none)
  const inputs = fc
    .tuple(fitting, fc.boolean(), fc.boolean())
    .map(([inputs, byName, nested]) => ({ id, ...inputs, byName, nested }))
  return fc.option(inputs, { nil: undefined })
}

type InputField = FieldValue & { id: string }

function buildBody({ fields }: Schema, inputs: readonly InputField[]): string {
  const ids = fields.map(({ id }) => id)
  const names = fields.map(({ name }) => name)
  const entries = inputs.map(({ id, value, byName, nested }) => {
    const name = names[ids.indexOf(id)] ?? id
    const isItsOwn = !ids.includes(name) && names.indexOf(name) === names.lastIndexOf(name)
    return { key: byName && isItsOwn ? name : id, value, nested }
  })
  const first = (key: string) => key.split('.')[0]
  const texts = entries.map(({ key, value, nested }) => {
    const alone = entries.filter((it) => first(it.key) === first(key)).length === 1
    return memberText(nested && alone ? key.split('.') : [key], value)
  })
  return `{${texts.join(',')}}`
}

// Text, since an object would lose a `__proto__` key.
const memberText = ([first, ...rest]: string[], value: unknown): string =>
  `${JSON.stringify(first)}:${rest.length > 0 ? `{${memberText(rest, value)}}` : JSON.stringify(value)}`

function expectedFields({ fields }: Schema, inputs: readonly InputField[]) {
  if (inputs.some(({ fits }) => !fits)) return undefined
  const expected = fields.flatMap(({ id, label, type, options }) => {
    const value = inputs.find((it) => it.id === id)?.value ?? ''
    if (value === '' || (Array.isArray(value) && value.length === 0)) return []
    return [{ key: id, label, value, type, ...(options && { options }) }]
  })
  return expected.length > 0 ? expected : undefined
}
