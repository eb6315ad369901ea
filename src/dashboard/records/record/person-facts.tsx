import { valueAt } from '../../../model/json.ts'
import { nameFields } from '../../../model/properties/person-name.ts'
import { fieldIsSpecial, fieldMayHold } from '../../../model/properties/recognise.ts'
import type { Field } from '../../../model/properties/schema.ts'
import type {
  CollectionInfo,
  ShownProperty,
  ShownValues,
} from '../../collection/collection-info.ts'
import { formatValue } from '../../ui/format-value.ts'
import { Facts, listFacts } from './facts.tsx'

type Props = Omit<Parameters<typeof Facts>[0], 'properties' | 'class'>

/** Renders the details of a person: contact details, then others, with areas and special category data folded away. */
export function PersonFacts({ values, collection, ...props }: Props) {
  const groups = groupPersonFacts(collection, values)
  const { contact, about, areas } = groups
  const all = { values, collection, ...props }
  return (
    <aside aria-label="Details">
      {contact.length > 0 && (
        <section>
          <h2 class="title">Contact</h2>
          <Facts {...all} properties={contact} />
        </section>
      )}
      <section>
        <h2 class="title">About</h2>
        <Facts {...all} properties={about} class="halves" />
        {groups.special.length > 0 && (
          <details class="fold">
            <summary>Health, ethnicity, religion and the like</summary>
            <Facts {...all} properties={groups.special} />
          </details>
        )}
        {areas.length > 0 && (
          <details class="fold">
            <summary>Areas: {summariseAreas(areas, values)}</summary>
            <Facts {...all} properties={areas} />
          </details>
        )}
      </section>
    </aside>
  )
}

/** Groups the fields of a person with a value. The page's title has their name. */
export function groupPersonFacts(collection: CollectionInfo, values: ShownValues) {
  const fields = new Map(collection.fields.map((field) => [field.id, field]))
  const groupOf = (property: ShownProperty) => {
    const field = fields.get(property.name)
    if (property.isDerived) return 'areas'
    if (!field) return 'about'
    if (nameFields(collection.fields).includes(field)) return 'title'
    if (isTag(field)) return 'tags'
    if (fieldIsSpecial(field)) return 'special'
    return isContact(field) ? 'contact' : 'about'
  }
  const groups = Map.groupBy(listFacts(collection, values), groupOf)
  return {
    contact: groups.get('contact') ?? [],
    about: groups.get('about') ?? [],
    special: groups.get('special') ?? [],
    areas: groups.get('areas') ?? [],
    tags: groups.get('tags') ?? [],
  }
}

const isTag = ({ label }: Field) => /^tags$/i.test(label)

const isContact = (field: Field) =>
  (['email', 'phone', 'postcode'] as const).some((detail) => fieldMayHold(detail, field)) ||
  (field.type === 'boolean' && /consent|contact|news/i.test(field.id + field.label))

/** The ward and the local authority, or the first two areas. */
function summariseAreas(areas: readonly ShownProperty[], values: ShownValues): string {
  const named = areas.filter(({ label }) => /(?:ward|local authority|district)$/i.test(label))
  return (named.length > 0 ? named : areas)
    .map((property) => formatValue(valueAt(values, property.path), property))
    .filter((text, index, texts) => texts.indexOf(text) === index)
    .slice(0, 2)
    .join(', ')
}
