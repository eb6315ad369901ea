import type { Context } from 'hono'
import { ApiError } from '../../model/api-error.ts'
import { isAnonymous, type SurveyForm } from '../../model/forms/survey-form.ts'
import type { Kind } from '../../model/properties/schema.ts'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import { londonDay } from '../../model/timestamp.ts'
import { valueTypes } from '../../model/value-types.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { type ListQuery, readCountedPage, readPages } from '../../resources/routes/list-source.ts'
import { addressReader } from '../../sign-up/forms/addresses.ts'
import { readTermCounts } from '../../store/read/term-counts.ts'
import { listPageOf, listSavedViews, requireSavedView } from '../../store/settings/saved-views.ts'
import { readAnswered } from '../../store/sign-up/form-links.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  type ShownProperty,
  type ShownValues,
} from '../collection/collection-info.ts'
import { loadFilterProperties, namesReference } from '../filters/filter-properties.ts'
import { buildOptions } from '../records/list/read-list.ts'
import { parseListView } from '../records/list/view.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { OptionGroup } from '../ui/controls.tsx'

/** A person who gets a link. The address is '' if it is not known. */
export type InvitedPerson = { id: string; name: string; email: string }

export type InvitedPeople = {
  people: readonly InvitedPerson[]
  /** The number of people who are left out because they have answered. */
  answered: number
}

/** The maximum number of people who get links at once. */
export const maxRecipients = 2000

const maxTags = 250

/** The field with the tags of people, also one with options; undefined without any. */
const findTags = ({ properties }: CollectionInfo): ShownProperty | undefined =>
  properties.find(
    ({ type, name, label }) =>
      valueTypes[type].stored === 'texts' && [name, label].some((text) => /\btags?$/i.test(text)),
  )

/** The choices of people for personal links: everybody with a tag, and in a saved view. */
export async function listRecipientGroups(
  c: Context<DashboardEnv>,
  kind: Kind,
): Promise<OptionGroup[]> {
  const collection = await describeCollection(c, kind)
  const tags = findTags(collection)
  const [views, terms] = await Promise.all([
    listSavedViews(c.var.store, listPageOf(kind)),
    tags && readTermCounts(c.var.store, kind, [tags.name]),
  ])
  const counts = tags && terms ? (terms.fields.get(tags.name) ?? []) : []
  const words = counts
    .map(({ value }) => String(value))
    .toSorted((one, other) => one.localeCompare(other, 'en'))
  return [
    {
      label: 'With the tag',
      options: words.slice(0, maxTags).map((tag) => ({ value: `tag ${tag}`, label: tag })),
    },
    {
      label: 'In the view',
      options: views.map(({ id, name }) => ({ value: `view ${id}`, label: name })),
    },
  ].filter(({ options }) => options.length > 0)
}

/** Loads the people of a choice with their addresses. Throws 400 for an unknown choice, and for too many people. */
export async function loadRecipients(
  c: Context<DashboardEnv>,
  form: SurveyForm,
  kind: Kind,
  audience: string,
): Promise<InvitedPeople> {
  if (isAnonymous(form))
    throw new ApiError('BAD_REQUEST', 'An anonymous form keeps no link to a person.')
  const collection = await describeCollection(c, kind)
  const filter = await buildFilter(c, collection, audience)
  const query = { offset: 0, filters: [], options: { filter, orderBy: [], isCounted: true } }
  const { total = 0 } = await collection.list.page(c.var.store, { ...query, limit: 0 })
  if (total > maxRecipients)
    throw new ApiError(
      'BAD_REQUEST',
      `These are ${formatNumber(total)} people, and at most ${formatNumber(maxRecipients)} get links at once. Save a view with fewer people, and choose that.`,
    )
  const all = await readPeople(c, collection, query)
  const answered = form.allowMultipleApplications
    ? new Set<string>()
    : await readAnswered(c.var.store, form.formId, {
        kind,
        ids: all.map(({ id }) => id),
      })
  const people = all.filter(({ id }) => !answered.has(id))
  return { people, answered: all.length - people.length }
}

async function readPeople(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  query: Omit<ListQuery, 'limit'>,
): Promise<InvitedPerson[]> {
  const findAddress = addressReader(collection.fields, londonDay(Date.now()))
  const { first, following } = await readPages(
    (page, known) => readCountedPage(c.var.store, collection.list, page, known),
    { ...query, limit: maxRecipients },
  )
  const toRecipient = (document: string): InvitedPerson => {
    const values: ShownValues = JSON.parse(document)
    return {
      id: String(values[collection.id]),
      name: recordTitle(collection, values),
      email: findAddress(values),
    }
  }
  const people = first.documents().map(toRecipient)
  for await (const page of following) people.push(...page.documents().map(toRecipient))
  return people
}

/** The condition of a choice, such as `tag Carer`. */
async function buildFilter(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  audience: string,
): Promise<FilterExpression | undefined> {
  const [, type, value = ''] = /^(tag|view) (.+)$/s.exec(audience) ?? []
  const tags = findTags(collection)
  if (type === 'tag' && tags) return { name: tags.name, literals: [{ type: 'text', value }] }
  if (type !== 'view') throw new ApiError('BAD_REQUEST', 'Choose a tag or a saved view.')
  const view = await requireSavedView(c.var.store, value)
  if (view.page !== listPageOf(collection.name))
    throw new ApiError('BAD_REQUEST', `Choose a saved view of ${collection.label.toLowerCase()}.`)
  const params = new URLSearchParams(view.query)
  const properties = await loadFilterProperties(c, collection, namesReference(params))
  const list = parseListView(params, collection, properties)
  const [error] = list.errors
  // Without a filter that cannot be applied, more people would get a link than the view shows.
  if (error) throw new ApiError('BAD_REQUEST', `${view.name}: ${error.name} ${error.message}`)
  return (await buildOptions(c, collection, list)).filter
}

/** The people with an address, by their address: a parent gets one message for all children. */
export const groupByAddress = (
  people: readonly InvitedPerson[],
): [email: string, InvitedPerson[]][] => [
  ...Map.groupBy(
    people.filter(({ email }) => email !== ''),
    ({ email }) => email.toLowerCase(),
  ),
]
