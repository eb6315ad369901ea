import type { KeyRights } from '../auth/key-acts.ts'
import type { RecordTypes } from '../limits/faults.ts'
import { inWords } from '../limits/in-words.ts'
import { limitsText } from '../limits/limits.ts'
import { viewOf } from '../limits/view.ts'
import { collectionNames } from '../model/collection-names.ts'
import { words } from '../model/words.ts'
import { exampleRecord } from './example-record.ts'

/** What a key will be able to do and see, in plain words and by an invented record of each collection. */
export function KeyPreview({ rights, types }: { rights: KeyRights; types: RecordTypes }) {
  const view = viewOf(limitsText(rights.limits))
  const shown = rights.may.includes('read') ? collectionNames.filter((name) => view.sees(name)) : []
  return (
    <article aria-labelledby="preview">
      <h2 id="preview">What it will see</h2>
      <ul>
        {inWords(rights, types).map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
      {shown.map((name, place) => (
        <details open={place === 0}>
          <summary>One of the {words(name)}, invented, as it will see it</summary>
          <pre tabindex={0}>{JSON.stringify(exampleRecord(name, view, types), null, 2)}</pre>
        </details>
      ))}
    </article>
  )
}
