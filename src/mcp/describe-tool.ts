import * as z from 'zod'
import type { Property } from '../model/properties/compile.ts'
import { type Reference, references } from '../model/references.ts'
import { isObjectList } from '../model/value-types.ts'
import { propertiesOfType } from '../records/rules.ts'
import { loadCollection } from '../resources/resources.ts'
import { readOrganisationSummary } from '../store/read/organisation-summary.ts'
import { readVisibleSchema } from '../store/read/single.ts'
import type { Store } from '../store/store.ts'
import { collectionInput, defineTool, requireVisible } from './tool.ts'

const maxOptions = 100

/** Lists the collections, or the fields of one. */
export const describeTool = defineTool({
  name: 'describe',
  title: 'Describe collections and fields',
  description:
    'Without a collection: lists the collections with their numbers of records and references, and today’s date. With a collection: lists its fields with their names, types, options and references. Call it before the other tools, which take these names exactly.',
  input: z.strictObject({ collection: collectionInput.optional() }),
  async run({ store }, { collection }) {
    if (collection === undefined)
      return { path: '/api/v1/', data: JSON.stringify(await describeOrganisation(store)) }
    requireVisible(store, collection)
    const data = JSON.stringify(await describeCollection(store, collection))
    return { path: `/api/v1/${collection}`, data }
  },
})

async function describeOrganisation(store: Store) {
  const { name, totals } = await readOrganisationSummary(store)
  const today = new Date().toISOString().slice(0, 10)
  return { organisation: name, today, collections: totals }
}

async function describeCollection(store: Store, collection: string) {
  const { resource } = await loadCollection(collection)
  const referencesByPath = new Map(
    references.filter(({ from }) => from === collection).map((it) => [it.path, it]),
  )
  const describe = (property: Property) =>
    describeField(property, referencesByPath.get(property.name))
  const schema = resource.kind && (await readVisibleSchema(store, resource.kind))
  const fields = propertiesOfType(resource, schema).shown(store.policy)
  const isListed = fields.some(({ name }) => name === resource.id)
  return {
    collection,
    id: resource.id,
    fields: [...(isListed ? [] : [{ name: resource.id, type: 'text' }]), ...fields.map(describe)],
  }
}

/** Describes a field. A property of objects in a list appears only in results. */
function describeField(property: Property, reference: Reference | undefined) {
  const { name, label, section, type, options, description } = property
  return {
    name,
    type,
    ...(description ? { description } : { label }),
    ...(section && { section }),
    ...(reference && { refersTo: reference.to }),
    ...(reference?.name !== undefined && { reference: reference.name }),
    ...(options && { options: options.slice(0, maxOptions).map(({ value }) => value) }),
    ...(isObjectList(property) && { isFilterable: false }),
  }
}
