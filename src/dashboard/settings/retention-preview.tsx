import type { Context } from 'hono'
import { organisationRetention } from '../../admin/organisation/retention.ts'
import { formatNumber } from '../../platform/format-number.ts'
import type { RetentionResult } from '../../records/retention.ts'
import { type CollectionInfo, recordTitle } from '../collection/collection-info.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { SaveButtons } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { recordPath } from '../ui/paths.ts'

const maxRecords = 50

/** A valid rule, with the collection that it applies to. */
export type DraftRule = { collection: CollectionInfo; field: string; age: string }

/** Renders what a retention rule would delete today, with a button that sets it. */
export async function RetentionPreview({
  c,
  path,
  collection,
  field,
  age,
}: DraftRule & { c: Context<DashboardEnv>; path: string }) {
  const rule = { collection: collection.name, field, age }
  const results = await c.var.administer(organisationRetention).preview(rule, maxRecords)
  const removed = results.filter(({ outcome }) => outcome === 'removed')
  const kept = results.filter(({ outcome }) => outcome === 'kept')
  const isPart = results.length === maxRecords
  const list = (records: readonly RetentionResult[]) => (
    <ul class="stack">
      {records.map(({ id, document }) => (
        <li>
          <a href={recordPath(c, collection.name, id)}>
            {recordTitle(collection, JSON.parse(document))}
          </a>
        </li>
      ))}
    </ul>
  )
  return (
    <Page
      c={c}
      title={`${collection.label} older than ${age}`}
      crumbs={[{ name: 'Retention', href: path }]}
      tabs={[]}
      lead={
        isPart
          ? `Nothing has been deleted. These are the ${maxRecords} oldest records that the rule concerns today.`
          : 'Nothing has been deleted. This is what the rule would do today.'
      }
    >
      <section class="section">
        <h2>
          Would be deleted <small>{formatNumber(removed.length)}</small>
        </h2>
        {removed.length > 0 ? list(removed) : <p>No record is that old.</p>}
      </section>
      {kept.length > 0 && (
        <section class="section">
          <h2>
            Would stay, because other records refer to them{' '}
            <small>{formatNumber(kept.length)}</small>
          </h2>
          {list(kept)}
        </section>
      )}
      <Form action={path} hidden={toRuleValues(collection.name, field, age)}>
        <SaveButtons label="Set this rule" cancelPath={path} />
      </Form>
    </Page>
  )
}

/** The values of the form for this rule. */
export function toRuleValues(collection: string, field: string, age: string) {
  const [number, unit = ''] = age.split(' ')
  return {
    date: `${collection}/${field}`,
    number,
    unit: unit.endsWith('s') ? unit : `${unit}s`,
  }
}
