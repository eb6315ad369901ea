import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { FieldsForm } from '../ui/fields-form.tsx'
import type { FieldErrors } from '../ui/form-values.ts'
import { Page, type Tab } from '../ui/page.tsx'
import { formsPath } from '../ui/paths.ts'
import type { SettingsDraft } from './settings-draft.ts'
import { settingsParts } from './settings-fields.ts'

type Props = {
  c: Context<DashboardEnv>
  title: string
  action: string
  cancelPath: string
  /** The tabs of an existing form. */
  tabs?: readonly Tab[]
  etag?: string
  draft: SettingsDraft
  errors?: FieldErrors
  error?: string
}

/** Renders the form for a form's settings, with the submitted values and their errors. */
export function FormSettingsPage(props: Props) {
  const { c, title, action, cancelPath, tabs = [], etag, draft, errors = {}, error } = props
  return (
    <Page c={c} title={title} crumbs={[{ name: 'Forms', href: formsPath(c) }]} tabs={tabs}>
      <FieldsForm
        action={action}
        hidden={{ $etag: etag }}
        parts={settingsParts}
        values={draft}
        errors={errors}
        error={error}
        cancelPath={cancelPath}
      />
    </Page>
  )
}
