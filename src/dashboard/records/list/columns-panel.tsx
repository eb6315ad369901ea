import type { CollectionInfo } from '../../collection/collection-info.ts'
import { Icon } from '../../ui/icon.tsx'
import { type ListView, listColumns, pageSizes } from './view.ts'

type Props = { collection: CollectionInfo; view: ListView }

/** Renders the choice of a list's columns and page size, within the form of its toolbar. */
export function ColumnsPanel({ collection, view }: Props) {
  const sections = Map.groupBy(listColumns(collection), ({ section }) => section)
  return (
    <details class="menu" open>
      <summary class="button plain">
        <Icon name="columns" />
        Columns
      </summary>
      <fieldset class="panel filters" aria-label="Columns">
        <div>
          {[...sections].map(([section, properties]) => (
            <fieldset>
              <legend class={section ? undefined : 'visually-hidden'}>
                {section || 'Columns'}
              </legend>
              {properties.map(({ name, label }) => (
                <label class="choice">
                  <input
                    type="checkbox"
                    name="$columns"
                    value={name}
                    checked={view.columns.includes(name)}
                  />
                  {label}
                </label>
              ))}
            </fieldset>
          ))}
          <label>
            Rows per page
            <select name="$size">
              {pageSizes.map((size) => (
                <option value={String(size)} selected={size === view.size}>
                  {size}
                </option>
              ))}
            </select>
          </label>
        </div>
        <footer>
          <button type="submit" class="button primary">
            Show columns
          </button>
        </footer>
      </fieldset>
    </details>
  )
}
