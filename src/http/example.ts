import type { JsonSchema } from './json-schema.ts'

/** Invented values of properties whose type says too little; what is not here is told by its name. */
const known: Record<string, unknown> = {
  accountName: 'Dunmallow Arts Collective',
  accountNumber: '****1868',
  sortCode: '****52',
  amount: 2750,
  colour: '#3366cc',
  country: 'England',
  currency: 'GBP',
  duration: 90,
  email: 'amara.abara@example.org',
  userEmail: 'amara.abara@example.org',
  contactEmail: 'hello@example.org',
  phone: '07700 900123',
  contactPhone: '07700 900123',
  postcode: 'LS11 0ES',
  key: 'Full Name',
  label: 'Full Name',
  value: 'Amara Abara',
  userName: 'Amara Abara',
  language: 'en',
  latitude: 53.77,
  longitude: -1.56,
  limit: 100,
  offset: 0,
  order: 0,
  section: 0,
  managedBy: 'oak-trust',
  organisationId: 'oak-trust',
  schemaId: 'master',
  href: '/api/v1/schemas/oak-trust',
  rrule: 'FREQ=WEEKLY;BYDAY=TU',
  tags: 'Food',
  total: 1,
}

/** An invented value that fits a schema; `name` is the property it is for. */
export function exampleOf(
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
  name = '',
): unknown {
  const { $ref, format, examples, anyOf, items, properties } = schema
  // One that may be null is told as a list of types, the real one first.
  const [type] = [schema.type].flat()
  if ($ref) return exampleOf(components[$ref.split('/').at(-1) ?? ''] ?? {}, components, name)
  if (examples) return examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (anyOf) return exampleOf(anyOf[0] as JsonSchema, components, name)
  if (properties) {
    // What begins with $ is only there when it is asked for.
    const values = Object.entries(properties)
      .filter(([property]) => !property.startsWith('$'))
      .map(([property, value]) => [property, exampleOf(value as JsonSchema, components, property)])
    return Object.fromEntries(values)
  }
  if (type === 'object') return {}
  if (type === 'array') return [exampleOf((items ?? {}) as JsonSchema, components, name)]
  if (type === 'boolean') return true
  if (format === 'date') return '2026-03-14'
  if (format === 'date-time') return '2026-03-14T09:30:00.000Z'
  return known[name] ?? (type === 'number' || type === 'integer' ? 1 : textOf(name))
}

/** `memberId` and `memberIds` are "member-1"; `bookingType` is "Booking type". */
function textOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
  const id = /^(.*?) ?ids?$/.exec(words)
  if (id) return `${(id[1] || 'item').replaceAll(' ', '-')}-1`
  return words.charAt(0).toUpperCase() + words.slice(1)
}
