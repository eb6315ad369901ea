import type { Context } from 'hono'
import * as z from 'zod'
import { readFormBody } from '../../http/body.ts'
import { Hono } from '../../http/hono.ts'
import { Age } from '../../model/age-input.ts'
import { collectionLabel, collectionNames } from '../../model/collection.ts'
import { formatShortDay } from '../../model/dates.ts'
import { isDated } from '../../model/value-types.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { listRules, removeRule, setRule } from '../../store/settings/retention.ts'
import { type CollectionInfo, describeCollection } from '../collection/collection-info.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { ActionButton } from '../ui/button.tsx'
import { type FormField, readItems } from '../ui/fields.tsx'
import { RowForm } from '../ui/fields-form.tsx'
import { type FieldErrors, type FieldValues, validateForm } from '../ui/form-values.ts'
import { Menu } from '../ui/menu.tsx'
import { Notice, redirectWithFlash, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'
import { type DraftRule, RetentionPreview, toRuleValues } from './retention-preview.tsx'

/** The settings of retention rules: list, try out, set and remove. */
export const routes = new Hono<DashboardEnv>()
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
    await setRule(c.var.store, { collection: collection.name, field, age })
    return redirectWithFlash(c, retentionPath(c), {
      notice: 'The rule is set. The service first applies it in a day.',
    })
  })
  .post('/remove', async (c) => {
    const { collection } = await readFormBody(c.req)
    await removeRule(c.var.store, String(collection))
    return redirectWithFlash(c, retentionPath(c), { notice: 'The rule was removed.' })
  })

/** The values of the form, with either the rule or the errors by field. */
type RuleForm = { values: FieldValues; rule?: DraftRule; errors?: FieldErrors }

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
  const collections = await loadDateChoices(c)
  const values = readItems(ruleFields(collections), await readFormBody(c.req))
  const form = validateForm(RuleFields, values, (path) => (path === 'age' ? 'number' : path))
  if ('errors' in form) return { values, errors: form.errors }
  const { date, age } = form.value
  const [name = '', ...rest] = date.split('/')
  const field = rest.join('/')
  const collection = collections.find((choice) => choice.name === name)
  return collection && listDates(collection).some((property) => property.name === field)
    ? { values, rule: { collection, field, age } }
    : { values, errors: { date: 'must be one of the dates in the list.' } }
}

/** The fields of a rule: the dates of each collection, and an age. */
const ruleFields = (collections: readonly CollectionInfo[]): readonly FormField[] => [
  {
    name: 'date',
    label: 'Delete records by this date',
    groups: collections
      .filter((collection) => listDates(collection).length > 0)
      .map((collection) => ({
        label: collection.label,
        options: listDates(collection).map(({ name, label, section }) => ({
          value: `${collection.name}/${name}`,
          label: [section, label].filter(Boolean).join(': '),
        })),
      })),
  },
  {
    name: 'number',
    label: 'when older than',
    summaryLabel: 'The age',
    attributes: { inputmode: 'numeric', required: true, maxlength: 5, autocomplete: 'off' },
  },
  { name: 'unit', label: 'Unit', options: units.map((unit) => ({ value: unit, label: unit })) },
]

const loadDateChoices = (c: Context<DashboardEnv>): Promise<CollectionInfo[]> =>
  Promise.all(collectionNames.map((name) => describeCollection(c, name)))

const listDates = ({ properties }: CollectionInfo) => properties.filter(isDated)

async function renderRetentionPage(
  c: Context<DashboardEnv>,
  form: RuleForm = { values: { unit: 'years' } },
) {
  const { errors = {}, values } = form
  const [rules, collections] = await Promise.all([listRules(c.var.store), loadDateChoices(c)])
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
          <DataTable
            label="Retention rules"
            columns={[
              { heading: 'Records', cell: ({ collection }) => collectionLabel(collection) },
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
                isRightAligned: true,
                cell: ({ removed }) => formatNumber(removed),
              },
              {
                heading: 'Still referred to',
                isRightAligned: true,
                cell: ({ kept }) => formatNumber(kept),
              },
              {
                heading: '',
                isRightAligned: true,
                cell: (rule) => <RuleMenu path={path} {...rule} />,
              },
            ]}
            rows={rules}
          />
        )}
      </section>
      <section class="section">
        <h2>New rule</h2>
        <RowForm
          action={`${path}/preview`}
          fields={ruleFields(collections)}
          values={values}
          errors={errors}
          failure="The rule was not set."
          saveLabel="See what it would delete"
        />
        <p class="quiet after">
          Nothing is deleted yet. Each kind of record has one rule: a new one replaces it.
        </p>
      </section>
    </Page>,
    form.errors ? 400 : 200,
  )
}

type RuleMenuProps = { path: string; collection: string; field: string; age: string }

const RuleMenu = ({ path, collection, field, age }: RuleMenuProps) => (
  <Menu label={`More actions for ${collectionLabel(collection)}`} isRare class="plain">
    <li>
      <ActionButton
        action={`${path}/preview`}
        hidden={toRuleValues(collection, field, age)}
        label="See what it would delete today"
      />
    </li>
    <li class="apart">
      <ActionButton
        action={`${path}/remove`}
        hidden={{ collection }}
        label="Remove the rule"
        class="danger"
      />
    </li>
  </Menu>
)

const retentionPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/retention')
