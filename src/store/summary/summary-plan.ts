import { invalidField } from '../../model/api-error.ts'
import { referencesToPeople } from '../../model/properties/people-references.ts'
import { isKind, kinds } from '../../model/properties/schema.ts'
import { type QueryField, type QueryFields, resolveField } from '../../model/query/resolve.ts'
import type { AgeCondition } from '../../model/summary/ages.ts'
import { type MeasureName, measureRules } from '../../model/summary/measure-names.ts'
import {
  type NamedGroup,
  type NamedMeasure,
  plainMeasure,
} from '../../model/summary/parse-summary.ts'
import { isDated } from '../../model/value-types.ts'
import { joinAlternatives } from '../../platform/join-names.ts'

/** A field of a summary. With `isPresence`, the summary reads which responses have an answer, but not the answers. */
export type SummaryField = QueryField & { isPresence?: boolean }

/** The names of a summary as fields that the caller may see. */
export type SummaryPlan = {
  by: readonly (NamedGroup & { field: QueryField; on?: QueryField | undefined })[]
  /** The conditions on the ages of people on the day of a record. */
  ages: readonly { born: QueryField; on: QueryField; test: AgeCondition['test'] }[]
  measures: readonly (NamedMeasure & { field: SummaryField | undefined; isPerson: boolean })[]
  /** The fields that refer to people, if the summary reads them; otherwise none. */
  people: readonly QueryField[]
  /** The date of the records, if the summary reads it. */
  date: QueryField | undefined
}

type NamedSummary = {
  by: readonly NamedGroup[]
  measures: readonly NamedMeasure[]
  ages: readonly AgeCondition[]
  protectsPeople: boolean
}

/** Resolves the names of a summary. Throws 400 for a name that is not among the fields, and for a field of another type. */
export function planSummary(
  collection: string,
  { by, measures: requested, ages, protectsPeople }: NamedSummary,
  fields: QueryFields,
): SummaryPlan {
  const people = findPeople(collection, fields)
  const canCountPeople = people !== undefined || isKind(collection)
  const measures = protectsPeople && canCountPeople ? addPeople(requested) : requested
  const readsPeople = measures.some(({ measure }) => measureRules[measure].countsPeople)
  const readsDates = measures.some(({ measure }) => measureRules[measure].readsDates)
  const date = findDate(fields)
  return {
    by: by.map((group) => {
      const { option, ageOn } = group
      const on = ageOn === undefined ? undefined : resolveDate(option, ageOn, fields)
      return { ...group, field: resolveGroup(group, fields), on }
    }),
    ages: ages.map(({ born, on, test, option }) => ({
      born: resolveDate(option, born, fields),
      on: resolveDate(option, on, fields),
      test,
    })),
    measures: measures.map((named) => {
      const { measure, name, text, option } = named
      const rules = measureRules[measure]
      const allowed = rules.fields
      if (rules.countsPeople && !canCountPeople)
        throw invalidField(
          option,
          'not_allowed',
          `${text} needs records that refer to people, in fields that these credentials can see.`,
        )
      if (rules.readsDates && !date)
        throw invalidField(
          option,
          'not_allowed',
          `${text} needs records with a date that these credentials can see.`,
        )
      const field = name === undefined ? undefined : resolveField(option, name, fields)
      const accepts = (it: QueryField) =>
        (allowed?.accept(it) ?? true) && (!rules.ofPerson || isOfPerson(collection, it))
      if (field && allowed && !accepts(field))
        throw invalidField(
          option,
          'invalid_type',
          `${text} needs a field ${rules.ofPerson ? 'of the person ' : ''}with ${allowed.words}.${listFields(fields, accepts)}`,
        )
      return {
        ...named,
        field: field && planField(field, measure),
        isPerson: field !== undefined && refersToPerson(collection, field),
      }
    }),
    people: readsPeople ? (people ?? []) : [],
    date: readsDates ? date : undefined,
  }
}

/** The date of the records, if the caller may see it. */
function findDate(fields: QueryFields): QueryField | undefined {
  const date = fields.get('date')
  return date && isDated(date) ? date : undefined
}

/** The measures with `people`, which tells the small groups. */
const addPeople = (measures: readonly NamedMeasure[]): readonly NamedMeasure[] =>
  measures.some(({ measure }) => measure === 'people')
    ? measures
    : [...measures, plainMeasure('people')]

/** Written answers are long, and `known` does not need them. */
const planField = (field: QueryField, measure: MeasureName): SummaryField =>
  measure === 'known' && field.question !== undefined ? { ...field, isPresence: true } : field

function resolveGroup({ name, bucket, option }: NamedGroup, fields: QueryFields): QueryField {
  const field = resolveField(option, name, fields)
  if (bucket && !isDated(field))
    throw invalidField(
      option,
      'invalid_type',
      `${bucket}() needs a field with a date or a time.${listFields(fields, isDated)}`,
    )
  return field
}

/** A field of an age. */
function resolveDate(option: string, name: string, fields: QueryFields): QueryField {
  const field = resolveField(option, name, fields)
  if (isDated(field)) return field
  throw invalidField(
    option,
    'invalid_type',
    `age() needs fields with a date or a time.${listFields(fields, isDated)}`,
  )
}

/** A sentence with the fields that a test accepts; nothing without any. */
function listFields(fields: QueryFields, accept: (field: QueryField) => boolean): string {
  const names = [...fields].filter(([, field]) => accept(field)).map(([name]) => name)
  return names.length > 0 ? ` Choose ${joinAlternatives(names)}.` : ''
}

/** The fields that refer to people, if the caller may see all of them. */
function findPeople(collection: string, fields: QueryFields): QueryField[] | undefined {
  const found = referencesToPeople(collection).map(({ path }) => fields.get(path))
  const visible = found.filter((field) => field !== undefined)
  return visible.length > 0 && visible.length === found.length ? visible : undefined
}

/** Whether a field is one of a person, to whom the records refer or who is the record. */
const isOfPerson = (collection: string, { reference }: QueryField): boolean =>
  isKind(reference?.to ?? collection)

/** Whether the values of a field are ids of people: in a reference, or in the record to which it leads. */
const refersToPerson = (collection: string, { path, reference }: QueryField): boolean =>
  referencesToPeople(collection).some((toPeople) =>
    reference
      ? toPeople.path === reference.path.join('.') && path.join('.') === kinds[toPeople.to].id
      : toPeople.path === path.join('.'),
  )
