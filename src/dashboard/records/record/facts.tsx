import type { Context } from 'hono'
import { ageOn } from '../../../model/age.ts'
import { formatShortDay } from '../../../model/dates.ts'
import { valueAt } from '../../../model/json.ts'
import { isBirthDate } from '../../../model/properties/recognise.ts'
import { type Reference, referencedIds, references } from '../../../model/references.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { isObjectList } from '../../../model/value-types.ts'
import type {
  CollectionInfo,
  ShownProperty,
  ShownValues,
} from '../../collection/collection-info.ts'
import { isTechnical } from '../../collection/property-formats.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Fact } from '../../ui/fact.tsx'
import { recordPath } from '../../ui/paths.ts'
import { isEmpty, Value } from '../../ui/value.tsx'
import { valueKinds } from '../../ui/value-kinds.ts'
import { ObjectList } from './object-list.tsx'
import type { FindTitle, RecordKey } from './titles.ts'

type Props = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  values: ShownValues
  properties: readonly ShownProperty[]
  findTitle: FindTitle
  class?: string
}

/** Renders properties with their values: linked records by name, and contact details as links. */
export function Facts({ properties, class: className = '', ...props }: Props) {
  return (
    <dl class={`facts ${className}`}>
      {properties.map((property) => (
        <Fact label={property.label}>
          <FactValue {...props} property={property} />
        </Fact>
      ))}
    </dl>
  )
}

type FactValueProps = Omit<Props, 'properties' | 'class'> & { property: ShownProperty }

function FactValue({ c, collection, values, property, findTitle }: FactValueProps) {
  const reference = findReference(collection, property)
  if (reference) return <Links c={c} reference={reference} values={values} findTitle={findTitle} />
  const value = valueAt(values, property.path)
  const text = String(value)
  const href = valueKinds[property.type].href?.(text)
  if (href) return <a href={href}>{text}</a>
  const { currency } = values
  if (isObjectList(property) && Array.isArray(value))
    return <ObjectList property={property} value={value} />
  if (isBirthDate(property)) return <>{describeBirth(text)}</>
  return (
    <Value
      {...property}
      value={value}
      currency={typeof currency === 'string' ? currency : undefined}
    />
  )
}

/** A date of birth with the age: "27 Mar 1961 (65)". */
function describeBirth(date: string): string {
  const age = ageOn(londonDay(Date.now()), date)
  return age !== undefined && age < 130 ? `${formatShortDay(date)} (${age})` : formatShortDay(date)
}

type LinksProps = Pick<Props, 'c' | 'values' | 'findTitle'> & { reference: Reference }

/** Renders the records that a reference leads to, by name. */
function Links({ c, reference, values, findTitle }: LinksProps) {
  return (
    <>
      {referencedIds(reference, values).map(({ id }, index) => {
        const known = findTitle(reference.to, id)
        return (
          <>
            {index > 0 && <br />}
            {known ? (
              <a href={recordPath(c, reference.to, id)}>{known.title}</a>
            ) : (
              <span class="quiet">A record that is gone</span>
            )}
            {known?.isDeleted && <span class="quiet"> (deleted)</span>}
          </>
        )
      })}
    </>
  )
}

/** The references of a collection's records. */
export const findReferencesFrom = (name: string) => references.filter(({ from }) => from === name)

const findReference = ({ name }: CollectionInfo, property: ShownProperty) =>
  findReferencesFrom(name).find(({ path }) => path === property.name)

/** The properties with a value that means something to people, and links to other records. */
export const listFacts = (collection: CollectionInfo, values: ShownValues): ShownProperty[] =>
  collection.properties.filter((property) => {
    const isShown = findReference(collection, property) || !isTechnical(property.name)
    return isShown && !isEmpty(valueAt(values, property.path))
  })

const maxLinked = 20

/** The records that a record refers to. */
export const listLinked = ({ name }: CollectionInfo, values: ShownValues): RecordKey[] =>
  findReferencesFrom(name)
    .flatMap((reference) =>
      referencedIds(reference, values).map(({ id }) => ({ collection: reference.to, id })),
    )
    .filter(({ id }) => id !== '')
    .slice(0, maxLinked)
