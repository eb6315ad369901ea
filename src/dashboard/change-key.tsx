import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ShownKey } from '../auth/shown-keys.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { KeyFields } from './key-fields.tsx'
import type { KeyDraft, KeyFaults } from './key-forms.ts'
import { KeyName } from './key-name.tsx'
import { Page, pathOfKeys } from './page.tsx'

type Props = {
  c: Context<DashboardEnv>
  apiKey: ShownKey
  draft: KeyDraft
  faults?: KeyFaults
  preview: Child
}

/** The rights of a key that there is, to be changed, and what it sees with them. */
export function ChangeKey({ c, apiKey, draft, faults, preview }: Props) {
  const keys = pathOfKeys(c)
  const path = `${keys}/${apiKey.id}/rights`
  return (
    <Page c={c} title="Change a key">
      <section>
        {faults && <p role="alert">Nothing was changed: see what is marked below.</p>}
        <p>
          What <KeyName of={apiKey} /> may do. A change holds from its next request on.
        </p>
        <form method="post" action={path}>
          <KeyFields draft={draft} faults={faults ?? {}} />
          <div class="acts">
            <button type="submit">Save</button>
            <button type="submit" class="plain" formaction={`${path}/preview`}>
              Show what it will see
            </button>
            <a class="button" href={keys}>
              Leave it as it is
            </a>
          </div>
        </form>
      </section>
      {preview}
    </Page>
  )
}
