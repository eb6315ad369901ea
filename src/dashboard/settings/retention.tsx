import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { readFormBody } from '../../http/body.ts'
import { Age } from '../../model/age.ts'
import { collectionNames } from '../../model/collection.ts'
import { formatShortDay } from '../../model/dates.ts'
import { toLabel } from '../../model/properties/compile.ts'
import { toValidationErrors } from '../../model/validation-error.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { type CollectionInfo, describeCollection } from '../collection/collection-info.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Field, groupErrorsByField } from '../ui/form.tsx'
import { Menu } from '../ui/menu.tsx'
import { Notice, redirectWithFlash, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { Table } from '../ui/table.tsx'
import { isDated } from '../ui/value-kinds.ts'
import { type DraftRule, RetentionPreview, RuleInputs } from './retention-preview.tsx'

/** The settings of retention rules: list, try out, set and remove. */
export const retentionRoutes = new Hono<DashboardEnv>()
  .get('/', (c) => renderRetentionPage(c))
  .post('/preview', async (c) => {
    const form = await parseRuleForm(c)
    if (!form.rule) return renderRetentionPage(c, form)
    return c.html(<RetentionPreview c={c} path={retentionPath(c)} {...form.rule} />)
  })
  .post('/', async (c) => {
    const form = await parseRuleForm(c)
    if (!form.rule) return renderRetentionPage(c, form)
    const { collection, field, age } = form.rule
    await c.var.retention.set({ collection: collection.name, field, age })
    return redirectWithFlash(c, retentionPath(c), {
      notice: 'The rule is set. The service first applies it in a day.',
    })
  })
  .post('/remove', async (c) => {
    const { collection } = await readFormBody(c.req)
    await c.var.retention.remove(String(collection))
    return redirectWithFlash(c, retentionPath(c), { notice: 'The rule was removed.' })
  })

/** The values of the form, with either the rule or the errors by field. */
type RuleForm = {
  values: Record<string, unknown>
  rule?: DraftRule
  errors?: Record<string, string>
}

const units = ['days', 'months', 'years'] as const

const RuleFields = z
  .object({
    date: z.string().catch(''),
    number: z.string().catch(''),
    unit: z.enum(units, `must be one of: ${units.join(', ')}.`),
  })
  .transform(({ date, number, unit }) => ({ date, age: `${number.trim()} ${unit}` }))
  .pipe(z.object({ date: z.string(), age: Age }))

async function parseRuleForm(c: Context<DashboardEnv>): Promise<RuleForm> {
  const values = await readFormBody(c.req)
  const form = RuleFields.safeParse(values)
  if (!form.success)
    return {
      values,
      errors: groupErrorsByField(toValidationErrors(form.error, values), (path) =>
        path === 'age' ? 'number' : path,
      ),
    }
  const { date, age } = form.data
  const [name = '', ...rest] = date.split('/')
  const field = rest.join('/')
  const collection = (await loadDateChoices(c)).find((choice) => choice.name === name)
  return collection && listDates(collection).some((property) => property.name === field)
    ? { values, rule: { collection, field, age } }
    : { values, errors: { date: 'must be one of the dates in the list.' } }
}

const loadDateChoices = (c: Context<DashboardEnv>): Promise<CollectionInfo[]> =>
  Promise.all(collectionNames.map((name) => describeCollection(c, name)))

const listDates = ({ properties }: CollectionInfo) => properties.filter(isDated)

async function renderRetentionPage(c: Context<DashboardEnv>, form: RuleForm = { values: {} }) {
  const { errors = {}, values } = form
  const [rules, collections] = await Promise.all([c.var.retention.list(), loadDateChoices(c)])
  const path = retentionPath(c)
  const formatField = (name: string, field: string) =>
    collections
      .find((collection) => collection.name === name)
      ?.properties.find((property) => property.name === field)?.label ?? field
  return c.html(
    <Page c={c} title="Retention">
      <Notice message={takeFlash(c).notice} />
      <p class="quiet">
        Once a day, the service deletes records that are older than a rule allows. Records without
        the date stay, and so do records that others still refer to. Deleted members, volunteers and
        partners are erased.
      </p>
      <section class="section">
        {rules.length === 0 ? (
          <p>There are no rules yet. Records stay until somebody deletes them.</p>
        ) : (
          <Table
            label="Retention rules"
            columns={[
              { heading: 'Records', cell: ({ collection }) => toLabel(collection) },
              { heading: 'Deleted after', cell: ({ age }) => age },
              {
                heading: 'Counted from',
                cell: ({ collection, field }) => formatField(collection, field),
              },
              {
                heading: 'Last applied',
                cell: ({ completedOn }) => (completedOn ? formatShortDay(completedOn) : 'Not yet'),
              },
              {
                heading: 'Deleted then',
                isNumber: true,
                cell: ({ removed }) => formatNumber(removed),
              },
              {
                heading: 'Still referred to',
                isNumber: true,
                cell: ({ kept }) => formatNumber(kept),
              },
              { heading: '', isNumber: true, cell: (rule) => <RuleMenu path={path} {...rule} /> },
            ]}
            rows={rules}
          />
        )}
      </section>
      <form method="post" action={`${path}/preview`} class="section">
        <h2>New rule</h2>
        {form.errors && <p role="alert">The rule was not set. Correct the errors below.</p>}
        <div class="create">
          <Field label="Delete records by this date" name="date" error={errors.date}>
            {(attributes) => (
              <select {...attributes}>
                {collections
                  .filter((collection) => listDates(collection).length > 0)
                  .map((collection) => (
                    <optgroup label={collection.label}>
                      {listDates(collection).map(({ name, label, section }) => {
                        const value = `${collection.name}/${name}`
                        return (
                          <option value={value} selected={value === values.date}>
                            {[section, label].filter(Boolean).join(': ')}
                          </option>
                        )
                      })}
                    </optgroup>
                  ))}
              </select>
            )}
          </Field>
          <Field label="when older than" name="number" error={errors.number}>
            {(attributes) => (
              <input
                {...attributes}
                inputmode="numeric"
                value={String(values.number ?? '')}
                required
                maxlength={5}
                autocomplete="off"
              />
            )}
          </Field>
          <Field label="Unit" name="unit" error={errors.unit}>
            {(attributes) => (
              <select {...attributes}>
                {units.map((unit) => (
                  <option selected={unit === (values.unit ?? 'years')}>{unit}</option>
                ))}
              </select>
            )}
          </Field>
          <button type="submit" class="button primary">
            See what it would delete
          </button>
        </div>
        <p class="quiet after">
          Nothing is deleted yet. A collection has one rule: a new one replaces it.
        </p>
      </form>
    </Page>,
    form.errors ? 400 : 200,
  )
}

type RuleMenuProps = { path: string; collection: string; field: string; age: string }

const RuleMenu = ({ path, collection, field, age }: RuleMenuProps) => (
  <Menu label={`More actions for ${toLabel(collection)}`} isRare class="plain">
    <li>
      <form method="post" action={`${path}/preview`}>
        <RuleInputs date={`${collection}/${field}`} age={age} />
        <button type="submit">See what it would delete today</button>
      </form>
    </li>
    <li class="apart">
      <form method="post" action={`${path}/remove`}>
        <input type="hidden" name="collection" value={collection} />
        <button type="submit" class="danger">
          Remove the rule
        </button>
      </form>
    </li>
  </Menu>
)

const retentionPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/retention')
