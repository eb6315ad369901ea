import * as z from 'zod'
import { type AccessPolicy, accessPolicyFor } from '../../../access/access-policy.ts'
import { propertiesIn } from '../../../access/collection-properties.ts'
import { describeAccess } from '../../../access/describe-access.ts'
import { type RecordTypes, serialiseRestrictions } from '../../../access/restrictions.ts'
import type { KeyAccess } from '../../../admin/keys.ts'
import { buildExample } from '../../../http/openapi/json-schema.ts'
import { collectionLabel, collectionNames } from '../../../model/collection.ts'
import { isObject, valueAt } from '../../../model/json.ts'
import type { Property } from '../../../model/properties/compile.ts'
import { fieldTypes } from '../../../model/properties/field-types.ts'
import { recordType } from '../../../model/properties/record-type.ts'
import type { Field, Kind } from '../../../model/properties/schema.ts'
import { valueTypes } from '../../../model/value-types.ts'
import { findLabel } from '../../collections/collections.ts'
import { Icon } from '../../ui/icon.tsx'
import { DataTable } from '../../ui/table.tsx'
import { Value } from '../../ui/value.tsx'

/** Renders a key's access in sentences, and an invented record of each collection as people and as the key see it. */
export function KeyPreview({ access, types }: { access: KeyAccess; types: RecordTypes }) {
  const policy = accessPolicyFor(serialiseRestrictions(access.restrictions))
  const visibleCollections = access.permissions.includes('read')
    ? collectionNames.filter((name) => policy.allowsCollection(name))
    : []
  return (
    <article class="section" aria-labelledby="preview">
      <h2 id="preview">What it can see</h2>
      <ul>
        {describeAccess(access, types).map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
      {visibleCollections.map((name, index) => (
        <details class="fold" open={index === 0}>
          <summary>
            {collectionLabel(name)} <span class="quiet">An invented example</span>
          </summary>
          <ExampleTable name={name} rows={buildExampleRows(name, policy, types)} />
        </details>
      ))}
    </article>
  )
}

type ExampleRow = { property: Property; value: unknown; isHidden: boolean }

const ExampleTable = ({ name, rows }: { name: string; rows: readonly ExampleRow[] }) => (
  <DataTable
    label={`What the key sees of ${collectionLabel(name)}`}
    columns={[
      {
        heading: 'Field',
        cell: ({ property }) =>
          findLabel(name, property.name) ??
          [property.section, property.label].filter(Boolean).join(': '),
      },
      {
        heading: 'You see',
        cell: ({ property, value }) => <Value {...property} value={value} />,
      },
      {
        heading: 'This key sees',
        cell: ({ property, value, isHidden }) =>
          isHidden ? (
            <span class="hidden-value">
              <Icon name="lock" class="icon inline" /> Hidden
            </span>
          ) : (
            <Value {...property} value={value} />
          ),
      },
    ]}
    rows={rows}
  />
)

function buildExampleRows(name: string, policy: AccessPolicy, types: RecordTypes): ExampleRow[] {
  const properties = propertiesIn(types, name)
  const hidden = properties.hidden(policy)
  const exampleOf = buildExamples(name, properties.schema, types)
  return properties
    .all()
    .filter(({ type }) => valueTypes[type].control)
    .map((property) => ({
      property,
      value: exampleOf(property),
      isHidden: hidden.has(property.name),
    }))
}

/** A function that invents a value of a property: from its field, or from the examples of the contract. */
function buildExamples(
  name: string,
  kind: Kind | undefined,
  { collections, schemas }: RecordTypes,
) {
  if (kind) {
    const fieldsById = new Map(schemas[kind]?.fields.map((field) => [field.id, field]))
    return (property: Property) => buildExampleValue(fieldsById.get(property.name))
  }
  const record = collections.find((collection) => collection.name === name)?.record
  const { $defs = {}, ...type } = z.toJSONSchema(record ? recordType(record) : z.object())
  const example = buildExample(type, $defs)
  return (property: Property) => (isObject(example) ? valueAt(example, property.path) : undefined)
}

function buildExampleValue(field: Field | undefined): unknown {
  if (!field) return undefined
  const { label, options: [option] = [] } = field
  const { example } = fieldTypes[field.type]
  if (option) return Array.isArray(example) ? [option.value] : option.value
  return example ?? `(${label})`
}
