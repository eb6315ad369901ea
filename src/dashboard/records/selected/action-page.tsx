import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { formatNumber } from '../../../platform/format-number.ts'
import { pluralise } from '../../../platform/pluralise.ts'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { ActionButton } from '../../ui/button.tsx'
import type { FormField, FormItem } from '../../ui/fields.tsx'
import { FieldsForm } from '../../ui/fields-form.tsx'
import type { HiddenValues } from '../../ui/form.tsx'
import { type FieldErrors, type FieldValues, hasErrors } from '../../ui/form-values.ts'
import { Page } from '../../ui/page.tsx'
import { collectionPath } from '../../ui/paths.ts'
import { readView } from '../list/load-list.ts'
import { countView } from './selection.ts'

/** Which records an action concerns: the selected ones, or all that the list shows. */
export type SelectionScope = 'selected' | 'all'

type ActionPage = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  ids: readonly string[]
  action: string
  title: string
  saveLabel: string
  /** Whether the action takes something away. */
  isDangerous?: boolean
  /** The chosen scope; absent for an action that concerns the selected records only. */
  scope?: SelectionScope
  fields?: readonly FormItem[]
  values?: FieldValues
  hidden?: HiddenValues
  errors?: FieldErrors
  error?: string | undefined
  /** Shown above the fields. */
  children?: Child
}

/** Renders the form of an action on selected records, with the choice of all records that the list shows. */
export async function renderActionPage(page: ActionPage) {
  const { c, collection, ids, action, title, scope, fields = [], values = {} } = page
  const { saveLabel, isDangerous = false, hidden = {}, errors = {}, error, children } = page
  const { search } = new URL(c.req.url)
  const path = collectionPath(c, collection.name)
  const total = scope ? await countView(c, collection, await readView(c, collection)) : 0
  const scopes = scope && total > ids.length ? [scopeField(collection, ids.length, total)] : []
  return c.html(
    <Page c={c} title={title} crumbs={[{ name: collection.label, href: path + search }]}>
      <FieldsForm
        action={`${path}/selected/apply${search}`}
        hidden={{ action, id: ids, ...hidden }}
        fields={[...scopes, ...fields]}
        values={{ ...values, scope: scope ?? '' }}
        errors={errors}
        error={error}
        failure="Nothing was changed."
        saveLabel={saveLabel}
        isDangerous={isDangerous}
        cancelPath={path + search}
      >
        {children}
      </FieldsForm>
    </Page>,
    error || hasErrors(errors) ? 400 : 200,
  )
}

/** The choice between the selected records and all that the list shows. */
const scopeField = ({ label }: CollectionInfo, selected: number, total: number): FormField => ({
  name: 'scope',
  label: `Which ${label.toLowerCase()}`,
  options: [
    {
      value: 'selected',
      label: `The ${pluralise(selected, 'one', formatNumber(selected))} selected`,
    },
    { value: 'all', label: `All ${formatNumber(total)} that the list shows` },
  ],
  hasRadios: true,
})

type ResultPage = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  title: string
  /** The failed records: their names and the reasons. */
  failures: readonly { name: string; message: string }[]
  /** The address that undoes what the action changed. */
  undo: string | undefined
}

const maxFailures = 100

/** Renders the records that an action could not change, by name. */
export function renderFailures({ c, collection, title, failures, undo }: ResultPage) {
  const path = collectionPath(c, collection.name) + new URL(c.req.url).search
  return c.html(
    <Page c={c} title={title} crumbs={[{ name: collection.label, href: path }]}>
      <section class="section">
        <h2>Not changed: {formatNumber(failures.length)}</h2>
        <ul class="stack">
          {failures.slice(0, maxFailures).map(({ name, message }) => (
            <li>
              {name}: {message}
            </li>
          ))}
        </ul>
        {failures.length > maxFailures && (
          <p>And {formatNumber(failures.length - maxFailures)} more.</p>
        )}
      </section>
      <p class="after">
        <a class="button" href={path}>
          Back to the list
        </a>
        {undo && <ActionButton action={undo} label="Undo" class="button" />}
      </p>
    </Page>,
  )
}
