import { valueAt } from '../../../model/json.ts'
import type {
  CollectionInfo,
  ShownProperty,
  ShownValues,
} from '../../collection/collection-info.ts'
import { Facts, listFacts } from './facts.tsx'

type Group = readonly [heading: string, properties: readonly ShownProperty[]]

/** The facts of a record by their place on its page. */
type GroupedFacts = {
  /** The columns of the list. */
  main: readonly ShownProperty[]
  /** Texts to read, such as the content of a note. */
  texts: readonly ShownProperty[]
  aside: readonly Group[]
}

/** The heading of facts that seldom matter: times of the record itself, and everything that is off. */
const rareHeading = 'Other details'

// Pages show these with another property, or on a separate page.
const hidden = ['currency', 'responses', 'questions', 'sections']

/** Groups the facts of a record: what its list shows first, texts, and the rest by section. */
export function groupRecordFacts(collection: CollectionInfo, values: ShownValues): GroupedFacts {
  const titles = [values.name, values.title, values.userName]
  const facts = listFacts(collection, values).filter(({ name, path }) => {
    const isTitle = ['name', 'title', 'userName'].includes(name)
    return !hidden.includes(name) && !(isTitle && titles.includes(valueAt(values, path)))
  })
  const isMain = ({ name }: ShownProperty) => collection.defaultColumns.includes(name)
  const isText = (property: ShownProperty) => isLongText(valueAt(values, property.path), property)
  const others = facts.filter((property) => !isMain(property) && !isText(property))
  const headingOf = (property: ShownProperty) =>
    isRare(property, values) ? rareHeading : (headings[property.section] ?? property.section)
  const groups = Map.groupBy(others, headingOf)
  const { [rareHeading]: rare = [], ...frequent } = Object.fromEntries(groups)
  return {
    main: facts.filter((property) => isMain(property) && !isText(property)),
    texts: facts.filter(isText),
    aside: [...Object.entries(frequent), [rareHeading, rare]],
  }
}

const headings: Readonly<Record<string, string>> = {
  '': 'Details',
  'Linked entities': 'People',
  'Booking details': 'Booking',
  Financials: 'Money',
}

const isRare = ({ name, path, section }: ShownProperty, values: ShownValues) =>
  ['created', 'updated'].includes(name) ||
  valueAt(values, path) === false ||
  /^(?:Recurrence|Settings|Assess|Geography|Application numbering|Agreement)/.test(section)

const maxShortWords = 6

/** Whether a value is a text to read: the content of a note, or several words. */
const isLongText = (value: unknown, { name, type }: ShownProperty) =>
  type === 'text' &&
  typeof value === 'string' &&
  (name === 'content' || value.split(/\s+/).length > maxShortWords)

type Props = Omit<Parameters<typeof Facts>[0], 'properties' | 'class'> & {
  groups: readonly Group[]
}

/** Renders facts beside a record's main content, rare ones folded away. */
export function RecordFacts({ groups, ...props }: Props) {
  return (
    <aside aria-label="Details">
      {groups.map(([heading, properties]) => {
        if (properties.length === 0) return null
        const facts = <Facts {...props} properties={properties} />
        return heading === rareHeading ? (
          <details class="fold">
            <summary>{heading}</summary>
            {facts}
          </details>
        ) : (
          <section>
            <h2 class="title">{heading}</h2>
            {facts}
          </section>
        )
      })}
    </aside>
  )
}
