import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { formatNumber } from '../../../platform/format-number.ts'
import { pluralise } from '../../../platform/pluralise.ts'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
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
  /** The label of the button; it has the class `danger` for a deletion. */
  submitLabel: string
  isDanger?: boolean
  /** The chosen scope; absent for an action that concerns the selected records only. */
  scope?: SelectionScope
  error?: string | undefined
  children: Child
}

/** Renders the form of an action on selected records, with the choice of all records that the list shows. */
export async function renderActionPage({
  c,
  collection,
  ids,
  action,
  title,
  submitLabel,
  isDanger = false,
  scope,
  error,
  children,
}: ActionPage) {
  const path = collectionPath(c, collection.name)
  const { search } = new URL(c.req.url)
  const total = scope ? await countView(c, collection, await readView(c, collection)) : 0
  const plural = collection.label.toLowerCase()
  const selected = `The ${pluralise(ids.length, 'one', formatNumber(ids.length))} selected`
  return c.html(
    <Page c={c} title={title} crumbs={[{ name: collection.label, href: path + search }]}>
      <form method="post" action={`${path}/selected/apply${search}`} class="form">
        {error && <p role="alert">{error}</p>}
        <input type="hidden" name="action" value={action} />
        {ids.map((id) => (
          <input type="hidden" name="id" value={id} />
        ))}
        {total > ids.length && scope && (
          <fieldset class="field">
            <legend>Which {plural}</legend>
            {(['selected', 'all'] as const).map((value) => (
              <label class="choice">
                <input type="radio" name="scope" value={value} checked={value === scope} />
                <span>
                  {value === 'all' ? `All ${formatNumber(total)} that the list shows` : selected}
                </span>
              </label>
            ))}
          </fieldset>
        )}
        {children}
        <div class="save row">
          <button type="submit" class={`button ${isDanger ? 'danger' : 'primary'}`}>
            {submitLabel}
          </button>
          <a class="button" href={path + search}>
            Cancel
          </a>
        </div>
      </form>
    </Page>,
    error ? 400 : 200,
  )
}

type ResultPage = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  title: string
  /** The failed records: their names and the reasons. */
  failures: readonly { name: string; message: string }[]
}

const maxFailures = 100

/** Renders the records that an action could not change, by name. */
export function renderFailures({ c, collection, title, failures }: ResultPage) {
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
      </p>
    </Page>,
  )
}
