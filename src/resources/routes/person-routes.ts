import { matchAnySpelling } from '../../access/collection-properties.ts'
import { otherFormats } from '../../formats/list.ts'
import type { ListColumn } from '../../formats/list-page.ts'
import {
  fieldColumns,
  getLayout,
  type PersonLayout,
  selectFields,
  serialiseFields,
  serialisePerson,
  serialiseSchemaInfo,
} from '../../formats/person-layout.ts'
import { requireSelectable } from '../../formats/select.ts'
import { compactPostcode } from '../../geography/postcode.ts'
import { checkFilters } from '../../http/filters.ts'
import { listQuery } from '../../http/list-query.ts'
import { mapParameter, textParameter } from '../../http/parameters.ts'
import { closedQuery } from '../../http/query.ts'
import { collectionIdentifier, recordIdentifier } from '../../model/collection.ts'
import type { Filter } from '../../model/filter.ts'
import { internalKeys, type Kind, kinds } from '../../model/properties/schema.ts'
import type { PageQuery } from '../../store/bitmap/page-query.ts'
import { appendTimes, type PeoplePage, readPeople } from '../../store/read/list.ts'
import type { Known, Unchanged } from '../../store/state.ts'
import type { Store } from '../../store/store.ts'
import type { RecordList } from './list-route.ts'
import type { ListQuery, ReadPage } from './list-source.ts'
import type { Resource } from './resource.ts'

const postcodeFilter = mapParameter(
  textParameter({
    description:
      'The postcode, ignoring case and spaces; an outward code matches every postcode that starts with it.',
    example: 'LS11',
  }),
  (text): Filter => ({ field: internalKeys.postcode, values: [compactPostcode(text)] }),
)

/** The property of people that queries can filter by in any schema. */
const idProperty = (kind: Kind) => [{ name: kinds[kind].id, type: 'text' as const }]

const fieldFilterNote =
  'A parameter with the id of a field, such as `Full Name=Amara Abara`, returns only people with this value.'

/** The list of members: each has its own `schemaInfo`, and the list has no total. */
export function memberList(): RecordList {
  return {
    name: 'members',
    plural: 'members',
    id: kinds.members.id,
    types: {},
    contract: {
      operationId: 'listMembers',
      summary: 'List members',
      description: `A page of the organisation's members, in order of arrival. ${fieldFilterNote}`,
      query: listQuery({}, () => idProperty('members')),
      responses: async () => (await import('./person-contracts.ts')).memberListResponses(),
      otherFormats,
    },
    async page(store, query, known) {
      const found = await readPage(store, 'members', query, known)
      if (found.unchanged) return found
      const { people, schemaInfo, ...page } = found
      const items = () =>
        people().map(({ text, times }) => `{${text},"schemaInfo":${schemaInfo}${times}}`)
      return { ...page, items }
    },
  }
}

/** The list of volunteers or partners, with one `schemaInfo` for the whole list. */
export function peopleList(kind: Exclude<Kind, 'members'>): RecordList {
  return {
    name: kind,
    plural: kind,
    id: kinds[kind].id,
    types: {},
    contract: {
      operationId: `list${collectionIdentifier(kind)}`,
      summary: `List ${kind}`,
      description: `A page of the organisation's ${kind}, in order of arrival. ${fieldFilterNote}`,
      query: listQuery({ postcode: postcodeFilter }, () => idProperty(kind)),
      responses: async () => (await import('./person-contracts.ts')).peopleListResponses(kind),
      otherFormats,
    },
    async page(store, query, known) {
      const found = await readPage(store, kind, query, known)
      if (found.unchanged) return found
      const { people, schemaInfo, ...page } = found
      const items = () => people().map(({ text, times }) => `{${text}${times}}`)
      return { ...page, schemaInfo, items }
    },
  }
}

/** The resource of a kind of people. Responses with one person include the options of select fields. */
export function personResource(kind: Kind): Resource & { kind: Kind } {
  const { singular, id } = kinds[kind]
  return {
    name: kind,
    plural: kind,
    singular,
    id,
    kind,
    documentation: {
      operationId: `get${recordIdentifier(kind)}`,
      summary: `Get a ${singular}`,
      description: `One of the organisation's ${kind}, with the options of select fields.`,
      recordDescription: 'The person with all fields.',
    },
    related: { schema: kind },
    query: closedQuery(),
    render(record) {
      const layout = getLayout(record.single.schema)
      return {
        [singular]: `{${serialisePerson(kind, record.id, serialiseFields(layout, record.document, true))}}`,
        schemaInfo: serialiseSchemaInfo(kind, record.organisationId, layout.name),
      }
    },
  }
}

/** A page of people as JSON texts without the closing brackets, which the lists of each kind add. */
type SerialisedPeople = Omit<ReadPage, 'items' | 'schemaInfo'> & {
  people(): { text: string; times: string }[]
  schemaInfo: string
}

async function readPage<U extends Unchanged>(
  store: Store,
  kind: Kind,
  query: ListQuery,
  known: Known<U> | undefined,
): Promise<SerialisedPeople | NoInfer<U>> {
  const found = await readPeopleWithLayout(store, kind, query, known)
  if (found.unchanged) return found
  const { people, total, next, head, state, layout } = found
  const idName = kinds[kind].id
  const names = () => new Set([...layout.fieldIds, idName])
  const { $select } = query
  if ($select) requireSelectable($select, names())
  const shown = $select ? selectFields(layout, $select) : layout
  return {
    count: people.length,
    people: () =>
      people.map(({ id, document, times }) => ({
        text: serialisePerson(kind, id, serialiseFields(shown, document)),
        times,
      })),
    schemaInfo: serialiseSchemaInfo(kind, store.organisationId, layout.name),
    documents: () => people.map(({ document, times }) => appendTimes(document, times)),
    columns: (): ListColumn[] => [{ path: [idName], name: idName }, ...fieldColumns(shown)],
    total,
    headers: checkFilters(query, names),
    next,
    head,
    state,
  }
}

/** Reads a page of people and the layout of their schema. Reads again if a filter names a postcode field, because such filters ignore case and spaces. */
async function readPeopleWithLayout<U extends Unchanged>(
  store: Store,
  kind: Kind,
  query: PageQuery,
  known: Known<U> | undefined,
): Promise<(PeoplePage & { layout: PersonLayout }) | NoInfer<U>> {
  const { isCounted } = kinds[kind]
  const page = await readPeople(store, kind, query, isCounted, known)
  if (page.unchanged) return page
  const layout = getLayout(page.schema)
  if (!query.filters.some(({ field }) => layout.postcodeFieldIds.has(field)))
    return { ...page, layout }
  const filters = query.filters.map((filter) =>
    layout.postcodeFieldIds.has(filter.field) ? matchAnySpelling(filter) : filter,
  )
  const { head, state } = page
  return {
    ...(await readPeople(store, kind, { ...query, filters }, isCounted)),
    head,
    state,
    layout,
  }
}
