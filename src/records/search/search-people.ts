import type { Permission } from '../../access/permissions.ts'
import { compactPostcode } from '../../geography/postcode.ts'
import { nationalDigits, phoneSpellings } from '../../model/phone.ts'
import { isPostcodeField } from '../../model/properties/area-fields.ts'
import { normaliseEmail, normaliseName } from '../../model/properties/compare-people.ts'
import { isFreeText, isUnique } from '../../model/properties/field-types.ts'
import { holds, isBirthDate, isPersonName } from '../../model/properties/recognise.ts'
import { type Field, internalKeys, type Kind, kinds } from '../../model/properties/schema.ts'
import { caseVariants, lowerAscii, nameVariants } from '../../model/spelling.ts'
import {
  type Beginning,
  type FoundPeople,
  findPeople,
  type PersonSearch,
  type SearchWord,
} from '../../store/people/search.ts'
import type { Store } from '../../store/store.ts'

const maxWords = 4
const maxCharacters = 100
/** Schemas may have hundreds of fields, and each field costs rows. */
const maxFieldsPerDetail = 10
/** One letter would find almost anyone. */
const minCharacters = 2
/** Fewer digits are in too many telephone numbers. */
const minDigits = 4

/** People of one kind, with the fields of its schema. Fields that the caller may not see are ignored. */
export type PeopleOfKind = { kind: Kind; fields: readonly Field[] }

type SearchOptions = {
  permissions?: readonly Permission[]
  /** Whether to look up beginnings instead of any part: a search of a few rows in a collection of any size. */
  looksUpBeginnings?: boolean
}

const nobody: FoundPeople = { total: 0, read: async () => [] }

/**
 * Finds the people of a kind by any part of a name, e-mail address or telephone number, or by the
 * start of a postcode, date of birth or id. Ignores cases, accents, apostrophes and spaces, and
 * fields that the caller may not see. Nobody matches a text of less than two characters.
 */
export const searchPeople = (
  store: Store,
  { kind, fields }: PeopleOfKind,
  input: string,
  { permissions = ['read'], looksUpBeginnings = false }: SearchOptions = {},
): Promise<FoundPeople> =>
  store.withPolicy(async (policy) => {
    const hidden = policy.hiddenFields(fields)
    const visible = fields.filter(({ id }) => !hidden.has(id))
    const search = buildSearch(kind, visible, input)
    if (!search) return nobody
    const guard = { permissions, collection: kind, policy }
    return findPeople(store, guard, { ...search, looksUpBeginnings })
  })

function buildSearch(
  kind: Kind,
  fields: readonly Field[],
  input: string,
): Omit<PersonSearch, 'looksUpBeginnings'> | undefined {
  const text = input.normalize('NFC').trim().replaceAll(/\s+/g, ' ').slice(0, maxCharacters)
  if (text.length < minCharacters) return undefined
  const fieldIds = (matches: (field: Field) => boolean) =>
    fields
      .filter(matches)
      .map(({ id }) => id)
      .slice(0, maxFieldsPerDetail)
  const beginnings = [
    ...beginningsOf([kinds[kind].id, ...fieldIds(isUnique)], caseVariants(text)),
    ...beginningsOf(
      fieldIds((field) => holds('email', field)),
      caseVariants(text),
    ),
    ...beginningsOf(
      fieldIds(isPostcodeField).map((id) => internalKeys.postcodePrefix + id),
      beginsAsPostcode(text) ? [compactPostcode(text)] : [],
    ),
    ...beginningsOf(
      fieldIds((field) => holds('postcode', field) && !isPostcodeField(field)),
      postcodeVariants(text),
    ),
    ...beginningsOf(fieldIds(holdsBirthDate), dateVariants(text)),
  ]
  if (text.includes('@'))
    return {
      ...searchEmails(
        fieldIds((field) => holds('email', field)),
        text,
      ),
      beginnings,
    }
  if (/^[\d\s()+./-]+$/.test(text))
    return {
      ...searchPhones(
        fieldIds((field) => holds('phone', field)),
        text,
      ),
      beginnings,
    }
  return { ...searchNames(fieldIds(isNameField), text), beginnings }
}

type FieldSearch = Pick<PersonSearch, 'fields' | 'words' | 'fold'>

const searchNames = (fields: readonly string[], text: string): FieldSearch => ({
  fields,
  fold: normaliseName,
  words: text
    .split(/[\s-]+/)
    .filter((word) => normaliseName(word) !== '')
    .slice(0, maxWords)
    .map((word): SearchWord => {
      const variants = nameVariants(word)
      return {
        folded: normaliseName(word),
        beginnings: beginningsOf(fields, variants),
        furtherWords: [...new Set(variants.map(lowerAscii))],
      }
    }),
})

const searchEmails = (fields: readonly string[], text: string): FieldSearch => ({
  fields,
  fold: normaliseEmail,
  words: [
    {
      folded: normaliseEmail(text),
      beginnings: beginningsOf(fields, caseVariants(text)),
      furtherWords: [],
    },
  ],
})

function searchPhones(fields: readonly string[], text: string): FieldSearch {
  const folded = nationalDigits(text)
  const beginnings = beginningsOf(fields, phoneSpellings(text))
  return {
    fields,
    fold: nationalDigits,
    words: folded.length < minDigits ? [] : [{ folded, beginnings, furtherWords: [] }],
  }
}

const beginningsOf = (fields: readonly string[], texts: readonly string[]): Beginning[] =>
  fields.flatMap((field) => [...new Set(texts)].map((from) => ({ field, from })))

const beginsAsPostcode = (text: string) => /^[a-z]{1,2}\d/i.test(text)

/** A postcode as typed, and in capitals with and without its space. */
function postcodeVariants(text: string): string[] {
  if (!beginsAsPostcode(text)) return []
  const compact = compactPostcode(text)
  const spaced = [2, 3, 4]
    .filter((length) => compact.length > length)
    .map((length) => `${compact.slice(0, length)} ${compact.slice(length)}`)
  return [text, compact, ...spaced]
}

/** A date as typed, and a complete date also in its stored form. */
function dateVariants(text: string): string[] {
  if (!/^\d/.test(text)) return []
  const [, day, month, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text) ?? []
  return year && month && day
    ? [text, `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`]
    : [text]
}

// The index has the words of names in fields with `name` in their id
// (migrations/records/0003_index.sql).
const isNameField = (field: Field) =>
  isFreeText(field) && [field.id, field.name, field.label].some(isPersonName)

const holdsBirthDate = (field: Field) => isBirthDate(field) || holds('date of birth', field)
