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
