import { isObject, valueAt } from '../../../model/json.ts'
import { isObjectList } from '../../../model/value-types.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import type { ShownProperty } from '../../collection/collection-info.ts'
import { isTechnical } from '../../collection/property-formats.ts'
import { Fact } from '../../ui/fact.tsx'
import { formatValue } from '../../ui/format-value.ts'
import { isEmpty } from '../../ui/value.tsx'

type Props = { property: ShownProperty; value: readonly unknown[] }

/** Renders a list of objects, such as the reports that a grant asks for, folded away. */
export function ObjectList({ property: { items = [], path }, value }: Props) {
  const shown = items.filter(({ name }) => !isTechnical(name))
  return (
    <details class="fold">
      <summary>{formatCount(value.length, 'entry', 'entries')}</summary>
      {value.filter(isObject).map((entry) => (
        <dl class="facts">
          {shown.map((item) => {
            const itemValue = valueAt(entry, item.path.slice(path.length))
            return (
              !isEmpty(itemValue) && <Fact label={item.label}>{formatItem(itemValue, item)}</Fact>
            )
          })}
        </dl>
      ))}
    </details>
  )
}

const formatItem = (value: unknown, item: NonNullable<ShownProperty['items']>[number]): string =>
  isObjectList(item) ? `${Array.isArray(value) ? value.length : 1}` : formatValue(value, item)
