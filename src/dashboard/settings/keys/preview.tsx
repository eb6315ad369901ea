import { accessPolicyFor } from '../../../access/access-policy.ts'
import { describeAccess } from '../../../access/describe-access.ts'
import { serialiseRestrictions } from '../../../access/restrictions.ts'
import type { RecordTypes } from '../../../access/validate-restrictions.ts'
import type { KeyAccess } from '../../../admin/keys.ts'
import { collectionNames, collectionTitle } from '../../../model/collection.ts'
import { buildExampleRecord } from './example-record.ts'

/** Describes a key's access in sentences, with an invented record of each collection. */
export function KeyPreview({ access, types }: { access: KeyAccess; types: RecordTypes }) {
  const policy = accessPolicyFor(serialiseRestrictions(access.limits))
  const visibleCollections = access.may.includes('read')
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
