import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ListedKey } from '../../../admin/list-keys.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { keysPath, Page } from '../../ui/page.tsx'
import type { KeyDraft, KeyErrors } from './forms.ts'
import { KeyFields } from './key-fields.tsx'
import { KeyName } from './key-name.tsx'

type Props = {
  c: Context<DashboardEnv>
  apiKey: ListedKey
  draft: KeyDraft
  errors?: KeyErrors
  preview: Child
}

/** The rights of a key that there is, to be changed, and what it sees with them. */
export function ChangeKeyPage({ c, apiKey, draft, errors, preview }: Props) {
  const listPath = keysPath(c)
  const path = `${listPath}/${apiKey.id}/rights`
  return (
    <Page c={c} title="Change a key">
      <section>
        {errors && <p role="alert">Nothing was changed: see what is marked below.</p>}
        <p>
          What <KeyName apiKey={apiKey} /> may do. A change holds from its next request on.
        </p>
        <form method="post" action={path}>
          <KeyFields draft={draft} errors={errors ?? {}} />
          <div class="acts">
            <button type="submit">Save</button>
            <button type="submit" class="plain" formaction={`${path}/preview`}>
              Show what it will see
            </button>
            <a class="button" href={listPath}>
              Leave it as it is
            </a>
          </div>
        </form>
      </section>
      {preview}
    </Page>
  )
}
