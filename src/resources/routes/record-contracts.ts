import { addTimes, listResponseType } from '../../formats/response-types.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { type Collection, recordIdentifier } from '../../model/collection.ts'
import { omittedPaths } from '../../model/properties/compile.ts'
import { recordType } from '../../model/properties/record-type.ts'
import type { RecordProperties } from '../../model/record-properties.ts'
import { namedReferences } from '../../model/references.ts'
import * as z from '../../model/zod.ts'
import { shownOnRequest } from './not-marked.ts'
import { personInput, personResponseType } from './person-contracts.ts'
import type { Resource } from './resource.ts'

/* The types of records in requests and responses. Separate, because reads do not load Zod. */

/** The responses of the list of a structured collection. */
export const listResponses = ({ name, plural, record, item = record }: Collection) => ({
  200: listResponseType(plural, listItemType(name, item)),
})

/** The responses with one record. A key of another organisation gets 403 for a member. */
export function singleResponses(resource: Resource) {
  const responses = { 200: responseType(resource), 404: ErrorBody }
  return resource.kind === 'members' ? { ...responses, 403: ErrorBody } : responses
}

/** The type of a response with one record. */
export function responseType({ singular, kind, collection, documentation }: Resource): z.ZodObject {
  if (kind) return personResponseType(kind)
  const { name, record, item = record } = collection
  // Lists may omit properties; only bookings have more of them in responses than in the store.
  const type = omittedPaths(record, item).length > 0 ? recordType(record) : listItemType(name, item)
  return z.strictObject({
    [singular]: type.meta({ description: documentation.recordDescription }),
  })
}

/** The type of a record in request bodies. */
export const inputType = ({ kind, collection }: Resource): z.ZodType =>
  kind ? personInput : recordInputType(collection)

/** The type of a list's records, with everything that they show on request. */
function listItemType(name: string, record: RecordProperties): z.ZodObject {
  const expanded = namedReferences(name).map((reference) => [`$${reference.name}`, ExpandedRecord])
  const properties = {
    ...Object.fromEntries(expanded),
    ...shownOnRequest[name]?.buildProperties(z),
  }
  return addTimes(recordType(record).extend(properties), record.id)
}

const ExpandedRecord = z
  .record(z.string(), z.unknown())
  .nullable()
  .meta({
    id: 'ExpandedRecord',
    description: 'The referenced record as its own list shows it. Only with `$expand`.',
    'x-addition': true,
    examples: [{ eventId: 'event-open-day-1', name: 'Open Day' }],
  })
  .optional()

/** The type of a complete record in responses: the type of the list's records, unless these are shorter. */
export const documentedRecord = ({ name, record, item }: Collection) =>
  item ? recordType(record) : listItemType(name, record)

/** The record type of request bodies, where id and `managedBy` are optional, and properties that only responses have are ignored. */
function recordInputType({ name, record, item = record, id }: Collection): z.ZodObject {
  const type = recordType(record)
  const optionalProperties = [id, 'managedBy'].flatMap((name) => {
    const property = type.shape[name]
    return property ? [[name, z.optional(property)]] : []
  })
  const responseProperties = Object.keys(item.properties).filter(
    (name) => !(name in record.properties),
  )
  return type
    .extend(Object.fromEntries(optionalProperties))
    .extend(Object.fromEntries(responseProperties.map((name) => [name, ignoredProperty])))
    .meta({ id: `${recordIdentifier(name)}Input` })
}

const ignoredProperty = z
  .unknown()
  .meta({ description: 'Ignored: derived from other records.', examples: [{}] })
  .optional()
