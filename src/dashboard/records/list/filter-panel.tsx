import type { Context } from 'hono'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Icon } from '../../ui/icon.tsx'
import { FilterFold } from './filter-controls.tsx'
import type { FilterField } from './filter-fields.ts'
import type { FilterProperty } from './list-filters.ts'
import type { ListView } from './view.ts'

type Props = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  view: ListView
  fields: readonly FilterField[]
  properties: readonly FilterProperty[]
  /** The address of the page without filters. */
  clearPath: string
}

/** Renders the open filter panel, within the form of the toolbar. Other fields open with the choices made so far. */
export function FilterPanel({ c, collection, view, fields, properties, clearPath }: Props) {
  const others = properties.filter(
    ({ name, isTechnical }) =>
      !isTechnical && !fields.some(({ property }) => property.name === name),
  )
  const bySection = Map.groupBy(others, ({ section = '' }) => section)
  return (
    <details class="menu" open>
      <summary class="button">
        <Icon name="filter" />
        Filter
        {view.filters.length > 0 && <span class="narrow-only tag">{view.filters.length}</span>}
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
          <a class="button plain" href={clearPath}>
            Clear all
          </a>
          <button type="submit" class="button primary">
            Show {collection.label.toLowerCase()}
          </button>
        </footer>
      </fieldset>
    </details>
  )
}
