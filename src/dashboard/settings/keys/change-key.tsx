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

/** A form that changes a key's permissions and restrictions, with a preview. */
export function ChangeKeyPage({ c, apiKey, draft, errors, preview }: Props) {
  const listPath = keysPath(c)
  const path = `${listPath}/${apiKey.id}/rights`
  return (
    <Page c={c} title="Change a key">
      <section>
        {errors && <p role="alert">Nothing was changed. Correct the errors below.</p>}
        <p>
          Change the permissions of <KeyName apiKey={apiKey} />. Changes apply from its next
          request.
        </p>
        <form method="post" action={path}>
          <KeyFields draft={draft} errors={errors ?? {}} />
          <div class="acts">
            <button type="submit">Save</button>
            <button type="submit" class="plain" formaction={`${path}/preview`}>
              Preview access
            </button>
            <a class="button" href={listPath}>
              Cancel
            </a>
          </div>
        </form>
      </section>
      {preview}
    </Page>
  )
}
