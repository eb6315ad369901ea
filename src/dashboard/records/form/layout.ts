import type { Context } from 'hono'
import type { Property } from '../../../model/properties/compile.ts'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import { isTechnical } from '../../collection/property-formats.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { propertyQuestion } from './property-question.tsx'
import type { Ask, FormLayout } from './question.ts'
import { layouts } from './tasks.ts'

/** Lays out the form of a collection: the questions of the task first, then every other property that can be edited. */
export async function layOutForm(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  isNew: boolean,
): Promise<FormLayout> {
  const editable = collection.properties.filter(({ isEditable }) => isEditable)
  const ask: Ask = (name, wording) => {
    const property = editable.find((candidate) => candidate.name === name)
    if (!property) throw new Error(`${collection.name} has no property ${name}`)
    return propertyQuestion(property, wording)
  }
  const layOut = layouts[collection.name]
  const task = layOut ? await layOut({ c, collection, ask, isNew }) : { parts: [] }
  const asked = new Set(
    task.parts.flatMap(({ questions }) => questions.flatMap(({ properties }) => properties)),
  )
  const others = editable.filter(({ name }) => !asked.has(name))
  const sections = Map.groupBy(others, (property) =>
    !collection.kind && isFromOtherSystem(property.name)
      ? otherSystems
      : property.section || 'Details',
  )
  const required = editable.filter(({ isRequired, options }) => isRequired && options)
  return {
    parts: task.parts,
    otherParts: [...sections]
      .toSorted(([one], [other]) => Number(one === otherSystems) - Number(other === otherSystems))
      .map(([title, properties]) => ({
        title,
        questions: properties.map((property) =>
          propertyQuestion(property, title === otherSystems ? { label: longLabel(property) } : {}),
        ),
      })),
    defaults: {
      ...Object.fromEntries(
        required.map(({ name, options = [] }) => [name, options[0]?.value ?? '']),
      ),
      ...task.defaults,
    },
  }
}

const otherSystems = 'From other systems'

const isFromOtherSystem = (name: string) => isTechnical(name) || name.startsWith('recurrence.')

const longLabel = ({ section, label }: Property) =>
  section === '' ? label : `${section}: ${label.toLowerCase()}`
