import type { Property } from '../model/properties/compile.ts'
import type { QueryField, QueryFields } from '../model/query/resolve.ts'
import type { RecordProperties } from '../model/record-properties.ts'
import { type NamedReference, namedReferences } from '../model/references.ts'
import { isObjectList, isTextList } from '../model/value-types.ts'
import type { AccessPolicy } from './access-policy.ts'

/** The references that a query of a structured collection may follow: the policy shows their property and their collection. */
export function visibleReferences(
  policy: AccessPolicy,
  collection: string,
  record: RecordProperties,
): NamedReference[] {
  const visible = policy.visibleProperties(collection, record)
  return namedReferences(collection).filter(
    ({ path, to }) => visible.has(path) && policy.allowsCollection(to),
  )
}

/** The properties of a booking that decide whether somebody came. */
export const decisiveProperties = ['orgStatus', 'attending', 'date', 'eventId', 'childEventId']

/** A field that no record has: the service derives from some properties whether it is true. */
export type Derivation = { name: string; decidedBy: readonly string[] }

type Deriving<D extends Derivation> = {
  record?: (() => RecordProperties) | undefined
  derived?: D | undefined
}

/** The derived field of a collection, if the policy shows everything that decides it. */
export function visibleDerived<D extends Derivation>(
  policy: AccessPolicy,
  collection: string,
  { record, derived }: Deriving<D>,
): D | undefined {
  if (!record || !derived) return undefined
  const visible = policy.visibleProperties(collection, record())
  return derived.decidedBy.every((name) => visible.has(name)) ? derived : undefined
}

/** A derived field as queries name it. */
export const derivedField = ({ name }: Derivation): [string, QueryField] => [
  name,
  { path: [`$${name}`], isList: false, type: 'boolean', derived: name },
]

/** The fields of referenced records, each after the name of the reference. */
export const referencedFields = (
  { name, path, to }: NamedReference,
  fields: QueryFields,
): [string, QueryField][] =>
  [...fields].map(([field, type]) => [
    `${name}.${field}`,
    { ...type, reference: { path: path.split('.'), to } },
  ])

/** What the names of answers begin with: `answers.question-3` has those to the question with this id. */
export const answersPrefix = 'answers.'

/** The query fields for those names that begin with `answers.`; none unless `responses`, the list of answers, is shown. */
export const answerFields = (
  shown: readonly Property[],
  names: readonly string[],
): [string, QueryField][] =>
  shown
    .filter(({ name }) => name === 'responses')
    .flatMap(({ path, type }) =>
      names
        .filter((name) => name.startsWith(answersPrefix))
        .map((name): [string, QueryField] => [
          name,
          { path, type, isList: true, question: name.slice(answersPrefix.length) },
        ]),
    )

/** Lists of objects are not in the index, so no query can name them. */
export const toQueryFields = (properties: readonly Property[]): QueryFields =>
  new Map(
    properties
      .filter((property) => !isObjectList(property))
      .map((property): [string, QueryField] => {
        const { name, path, type } = property
        return [name, { path, type, isList: isTextList(property) }]
      }),
  )
