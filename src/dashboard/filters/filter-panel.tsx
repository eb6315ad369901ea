import type { Context } from 'hono'
import { isBirthDate } from '../../model/properties/recognise.ts'
import { londonDay } from '../../model/timestamp.ts'
import type { CollectionInfo } from '../collection/collection-info.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Icon } from '../ui/icon.tsx'
import { valueKinds } from '../ui/value-kinds.ts'
import { attendanceProperty } from './attendance.tsx'
import type { FilterProperty, ListFilter } from './filter.ts'
import { describeFilter, filterKinds, toFilterExpression, wordsOf } from './filters.ts'
import { resolveAttendance } from './find-attendance.ts'
import {
  countChoices,
  findReferenced,
  loadLinks,
  namedValues,
  type ValueSource,
} from './value-source.ts'

/** A field of the open panel: its current filter, the kinds of conditions that it offers, and their values. */
export type FilterField = {
  filter: ListFilter
  offered: readonly (keyof typeof filterKinds)[]
  source: ValueSource
}

/** Whether an address opens the panel, and the further field that it shows. The panel's own buttons show it again. */
export const readPanel = (params: URLSearchParams) => ({
  isOpen: params.get('$panel') === 'filter' || params.has('$field') || params.has('$find'),
  field: params.get('$field') ?? '',
})

/** Loads the fields that the panel shows: the main ones, the filtered ones, and the opened one. */
export async function loadFilterFields(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  filters: readonly ListFilter[],
  properties: readonly FilterProperty[],
): Promise<FilterField[]> {
  const { field } = readPanel(new URL(c.req.url).searchParams)
  const names = new Set([
    ...collection.mainFilters,
    attendanceProperty.name,
    ...filters.map(({ property }) => property.name),
    field,
  ])
  const found = await resolveAttendance(c.var.store, filters, londonDay(Date.now()))
  return Promise.all(
    properties
      .filter(({ name }) => names.has(name))
      .map((property) => loadField(c, collection, found, property)),
  )
}

async function loadField(
  c: Context<DashboardEnv>,
  { name }: CollectionInfo,
  filters: readonly ListFilter[],
  property: FilterProperty,
): Promise<FilterField> {
  const isOfProperty = (filter: ListFilter) => filter.property.name === property.name
  const filter = filters.find(isOfProperty) ?? { property, values: [] }
  if (property.isAttendance)
    return {
      filter,
      offered: ['attendance', 'period', 'range'],
      source: await countChoices(c, 'events', { property: eventTags, values: [] }, undefined),
    }
  const to = findReferenced(name, property)
  if (to) return { filter, offered: ['values'], source: await loadLinks(c, to, filter) }
  const offered = offeredKinds(property)
  if (!offered.includes('values') || offered.includes('contains'))
    return { filter, offered, source: namedValues(filter) }
  const others = filters.filter((other) => !isOfProperty(other))
  const expression = toFilterExpression(others, londonDay(Date.now()))
  return { filter, offered, source: await countChoices(c, name, filter, expression) }
}

const eventTags: FilterProperty = { name: 'tags', label: 'Tags', type: 'list' }

/** The kinds of conditions that the panel offers. An address can name others, as links of reports do. */
function offeredKinds(property: FilterProperty): FilterField['offered'] {
  const { type, format, isDerived } = property
  if (isBirthDate(property)) return ['ages']
  const { filter } = valueKinds[type]
  const hasFewValues = format === 'code' || isDerived
  return hasFewValues && filter.includes('contains') ? ['values'] : filter
}

/** The address of the page with other filters, and with the panel open. */
export type FilterLink = (filters: readonly ListFilter[], opensPanel: boolean) => string

type PanelProps = {
  c: Context<DashboardEnv>
  filters: readonly ListFilter[]
  fields: readonly FilterField[]
  properties: readonly FilterProperty[]
  /** What the page shows, such as "members". */
  shown: string
  link: FilterLink
}

/** Renders the open filter panel, within a form. Other fields open with the choices made so far. */
export function FilterPanel({ c, filters, fields, properties, shown, link }: PanelProps) {
  const others = properties.filter(
    ({ name, isTechnical }) =>
      !isTechnical && !fields.some(({ filter }) => filter.property.name === name),
  )
  const bySection = Map.groupBy(others, ({ section = '' }) => section)
  return (
    <details class="menu" open>
      <summary class="button">
        <Icon name="filter" />
        Filter
        {filters.length > 0 && <span class="narrow-only tag">{filters.length}</span>}
      </summary>
      <fieldset class="panel filters" aria-label="Filter">
        <div>
          {fields.map((field) => (
            <FilterFold c={c} field={field} />
          ))}
          <details class="fold" open={fields.length === 0}>
            <summary>All {properties.length} fields</summary>
            <div>
              {[...bySection].map(([section, group]) => (
                <>
                  {section && <h3>{section}</h3>}
                  <ul>
                    {group.map(({ name, label }) => (
                      <li>
                        <button type="submit" class="link" name="$field" value={name}>
                          {label}
                        </button>
                      </li>
                    ))}
                  </ul>
                </>
              ))}
            </div>
          </details>
        </div>
        <footer>
          <a class="button plain" href={link([], true)}>
            Clear all
          </a>
          <button type="submit" class="button primary">
            Show {shown}
          </button>
        </footer>
      </fieldset>
    </details>
  )
}

/** Renders a field of the panel: its filter in words, and the controls of the kinds that it offers. */
function FilterFold({ c, field }: { c: Context<DashboardEnv>; field: FilterField }) {
  const { filter, offered, source } = field
  const { label, words } = wordsOf(filter)
  return (
    <details class="fold" open>
      <summary>
        {filter.property.label}{' '}
        <small>{label === filter.property.label ? words.replace(/^:? /, '') : label + words}</small>
      </summary>
      <div>
        {offered.map((name) => {
          const { Control } = filterKinds[name]
          return <Control c={c} filter={filter} source={source} />
        })}
      </div>
    </details>
  )
}

type ChipsProps = { filters: readonly ListFilter[]; link: FilterLink; class?: string }

/** Renders the filters in words, each with links that open the panel and remove the filter. */
export const FilterChips = ({ filters, link, class: classes = 'chip' }: ChipsProps) => (
  <>
    {filters.map((filter) => {
      const words = describeFilter(filter)
      const others = filters.filter((other) => other !== filter)
      return (
        <span class={classes}>
          <a href={link(filters, true)}>{words}</a>
          <a href={link(others, false)} aria-label={`Remove filter: ${words}`}>
            <Icon name="close" />
          </a>
        </span>
      )
    })}
  </>
)
