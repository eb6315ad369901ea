import { recordColumns } from '../../formats/csv.ts'
import { otherFormats } from '../../formats/list.ts'
import type { ListPage } from '../../formats/list-page.ts'
import { checkFilters } from '../../http/filters.ts'
import { listQuery, type NamedFilters } from '../../http/list-query.ts'
import { closedQuery } from '../../http/query.ts'
import { expandOption } from '../../http/query-options.ts'
import {
  type Collection,
  collectionIdentifier,
  collectionTitle,
  recordIdentifier,
} from '../../model/collection.ts'
import { compileRecord, omittedPaths } from '../../model/properties/compile.ts'
import { namedReferences } from '../../model/references.ts'
import { readRecords } from '../../store/read/list.ts'
import { type ReferencedLists, recordTypesOf, shapePage } from './expand.ts'
import type { RecordList } from './list-route.ts'
import { shownOnRequest } from './not-marked.ts'
import type { Resource } from './resource.ts'

export const propertyFilterNote =
  'A parameter with the name of a property, such as `managedBy`, returns only records with this value.'

/** The list of a structured collection. `referenced` are the lists that its references lead to. */
export function recordList(
  collection: Collection,
  namedFilters: NamedFilters,
  referenced: ReferencedLists = {},
): RecordList {
  const { name, plural, id } = collection
  const named = namedReferences(name)
  const filtered = () => compileRecord(collection.record).leaves
  const extra = shownOnRequest[name]
  const options = named.length > 0 ? expandOption(named) : undefined
  const query: RecordList['contract']['query'] = extra
    ? listQuery(namedFilters, filtered, extra.options)
    : listQuery(namedFilters, filtered, options)
  return {
    name,
    plural,
    id,
    types: { record: () => collection.record, findRecordType: recordTypesOf(referenced) },
    contract: {
      operationId: `list${collectionIdentifier(name)}`,
      summary: `List ${collectionTitle(name)}`,
      description: `A page of the organisation's ${collectionTitle(name)}, in order of arrival. ${propertyFilterNote}`,
      query,
      responses: async () => (await import('./record-contracts.ts')).listResponses(collection),
      otherFormats,
    },
    async page(store, query, known) {
      const omitted = collection.item ? omittedPaths(collection.record, collection.item) : []
      const needs = { omitted, findRecordType: recordTypesOf(referenced) }
      const found = await readRecords(store, collection, query, needs, known)
      if (found.unchanged) return found
      const { documents, total, next, head, state } = found
      const visibleFields = () => store.policy.visibleProperties(name, collection.record)
      const page: ListPage = {
        count: documents.length,
        items: () => documents,
        documents: () => documents,
        columns() {
          const visible = visibleFields()
          const { record, item = record } = collection
          return recordColumns(item).filter(({ name }) => visible.has(name))
        },
        headers: checkFilters(query, visibleFields),
        total,
      }
      const extended = extra ? await extra.addTo(store, page, query) : page
      const shaped = await shapePage(store, extended, query, collection, referenced)
      return { ...shaped, next, head, state }
    },
  }
}

/** The resource of a structured collection. `isAddition` is true if the contract lacks its single `GET`. */
export function recordResource(
  collection: Collection,
  { isAddition = false }: { isAddition?: boolean } = {},
): Resource {
  const { name, plural, singular, id } = collection
  const description = `One of the organisation's ${collectionTitle(name)}, with all its properties.`
  return {
    name,
    plural,
    singular,
    id,
    collection,
    documentation: {
      operationId: `get${recordIdentifier(name)}`,
      summary: `Get one of the ${collectionTitle(name)}`,
      description,
      recordDescription: 'The complete record.',
      isAddition,
    },
    related: {
      record: collection.record,
    },
    query: closedQuery(),
    render: ({ document }) => ({ [singular]: document }),
  }
}
