import * as z from 'zod'
import { type AccessPolicy, accessPolicyFor } from '../../../access/access-policy.ts'
import { describeAccess } from '../../../access/describe-access.ts'
import { serialiseRestrictions } from '../../../access/restrictions.ts'
import type { RecordTypes } from '../../../access/validate-restrictions.ts'
import type { KeyAccess } from '../../../admin/keys.ts'
import { getLayout, serialiseFields, serialisePerson } from '../../../formats/person-layout.ts'
import { buildExample } from '../../../http/openapi/json-schema.ts'
import { collectionNames, collectionTitle } from '../../../model/collection.ts'
import { fieldTypes } from '../../../model/properties/field-types.ts'
import { type Field, isKind, kinds } from '../../../model/properties/schema.ts'

/** Renders a key's access in sentences, with an invented record of each collection. */
export function KeyPreview({ access, types }: { access: KeyAccess; types: RecordTypes }) {
  const policy = accessPolicyFor(serialiseRestrictions(access.restrictions))
  const visibleCollections = access.permissions.includes('read')
    ? collectionNames.filter((name) => policy.allowsCollection(name))
    : []
  return (
    <article aria-labelledby="preview">
      <h2 id="preview">Preview of access</h2>
      <ul>
        {describeAccess(access, types).map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
      {visibleCollections.map((name, index) => (
        <details open={index === 0}>
          <summary>Example from {collectionTitle(name)} (invented)</summary>
          <pre tabindex={0}>{JSON.stringify(buildExampleRecord(name, policy, types), null, 2)}</pre>
        </details>
      ))}
    </article>
  )
}

/** Builds an invented record of a collection and redacts it. */
function buildExampleRecord(
  name: string,
  policy: AccessPolicy,
  { collections, schemas }: RecordTypes,
) {
  if (isKind(name)) {
    const schema = schemas[name] ?? { name: '', fields: [] }
    const document = JSON.stringify(
      Object.fromEntries(schema.fields.map((field) => [field.id, buildExampleValue(field)])),
    )
    const layout = getLayout(policy.redactSchema(name, JSON.stringify(schema)))
    const id = `${kinds[name].singular}-1`
    return JSON.parse(`{${serialisePerson(name, id, serialiseFields(layout, document))}}`)
  }
  const record = collections.find((collection) => collection.name === name)?.record
  if (!record) return {}
  const { $defs = {}, ...type } = z.toJSONSchema(record)
  const example = buildExample(type, $defs) as Record<string, unknown>
  return policy.hiddenProperties(name, record)?.redact(example) ?? example
}

function buildExampleValue({ type, label, options: [option] = [] }: Field): unknown {
  const { value, example } = fieldTypes[type]
  if (value === undefined) return undefined
  if (option) return Array.isArray(example) ? [option.value] : option.value
  return example ?? `(${label})`
}
