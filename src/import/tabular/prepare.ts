import { type Fault, faultsOf } from '../../model/checked.ts'
import { collectionNames } from '../../model/collection-names.ts'
import { isKind, type Kind, type Schema } from '../../model/schema.ts'
import { parseSchema } from '../../records/schema.ts'
import { resources } from '../../resources/resources.ts'
import { type Source, Unreadable } from '../read.ts'
import { openTable } from '../tables/open-table.ts'
import type { Table } from '../tables/table.ts'
import { targetOf } from '../targets.ts'
import { answering } from './answers.ts'
import { type AskedForm, formOf, questionPlaces } from './asked-forms.ts'
import { plain, usualName } from './called.ts'
import type { Rules } from './import-table.ts'
import { Mapping } from './mapping.ts'
import { type Place, personPlaces, recordPlaces } from './places.ts'
import { type Proposal, proposed, type Wishes } from './propose.ts'
import { surveyed } from './survey.ts'
import { whichCollection } from './which-collection.ts'

export type Schemas = Partial<Record<Kind, Schema>>

/** Whose file it is, and what they say of it. */
export type About = {
  organisationId: string
  schemas: Schemas
  collection?: string | undefined
  sheet?: string | undefined
  wishes?: Wishes
  /** The forms there are, for a file of answers to one of them. */
  forms?: () => Promise<readonly AskedForm[]>
  progress?: (rows: number) => void
}

/** A file as it was opened, what it is taken for, and why it is taken to be of its collection. */
export type Inspected = { table: Table; proposal: Proposal; because?: string }

/** Reads a whole file and proposes how it becomes records; nothing is written. Throws Unreadable, with what to do, where it cannot be read. */
export async function inspect(source: Source, about: About): Promise<Inspected> {
  const table = await openTable(source, about.sheet)
  const guessed = about.collection ? undefined : whichCollection(source.name, table.headings)
  const collection = about.collection ?? guessed?.collection
  if (collection === undefined || !collectionNames.includes(collection)) {
    throw new Unreadable(
      0,
      `does not say what its rows are: choose a collection, one of ${collectionNames.join(', ')}.`,
    )
  }
  const survey = await surveyed(table, about.progress)
  if (survey.rows === 0) throw new Unreadable(table.headingLine, 'has headings, and no rows below.')
  const wishes = about.wishes ?? {}
  const forms = collection === answers ? await about.forms?.() : undefined
  const form =
    forms && formOf(forms, { said: wishes.form, file: source.name, headings: table.headings })
  const into = {
    collection,
    form,
    places: await placesOf(collection, about.schemas, form),
    isOfPeople: isKind(collection),
    hasSchema: isKind(collection) && about.schemas[collection] !== undefined,
  }
  const proposal = proposed(table, survey, into, wishes)
  return { table, proposal, ...(guessed && { because: guessed.because }) }
}

const answers = 'survey-responses'

/** Where the columns of a collection's files can go; those of answers to a form, to its questions. */
async function placesOf(collection: string, schemas: Schemas, form?: AskedForm): Promise<Place[]> {
  if (isKind(collection)) {
    return personPlaces(collection, schemas[collection] ?? { name: '', fields: [] })
  }
  const found = (await resources[collection]?.())?.collection
  const own = found ? recordPlaces(found) : []
  return form ? [...own, ...questionPlaces(form, schemas)] : own
}

/** A mapping as a text of JSON has it; or what is wrong with it, by its properties. */
export function parsedMapping(text: string): { mapping: Mapping } | { faults: Fault[] } {
  try {
    const checked = Mapping.safeParse(JSON.parse(text))
    return checked.success ? { mapping: checked.data } : { faults: faultsOf(checked.error) }
  } catch {
    return { faults: [{ field: '', reason: 'is not valid JSON.' }] }
  }
}

/** A kept mapping with what is said anew. */
export function withWishes(mapping: Mapping, { order, timeZone, match, id }: Wishes): Mapping {
  return {
    ...mapping,
    ...(timeZone !== undefined && { timeZone }),
    ...(match && { match }),
    ...(id !== undefined && { id: { columns: [id], isMade: false } }),
    columns: mapping.columns.map((column) =>
      order && column.dates && column.dates !== 'excel' ? { ...column, dates: order } : column,
    ),
  }
}

/** The rules a mapping's records keep, and the schema with the fields that it adds, if it adds any; or why there cannot be such a schema, or a field is not there. */
export async function rulesOf(
  mapping: Mapping,
  organisationId: string,
  schemas: Schemas,
  forms: () => Promise<readonly AskedForm[]> = async () => [],
): Promise<{ rules: Rules; schema?: Added } | { faults: Fault[] }> {
  const { collection } = mapping
  const added = addedTo(schemas, mapping)
  if (added && 'faults' in added) return added
  const all = added ? { ...schemas, [added.kind]: added.schema } : schemas
  const form =
    collection === answers && mapping.same.surveyId !== undefined
      ? (await forms()).find(({ formId }) => formId === mapping.same.surveyId)
      : undefined
  const target = await targetOf(collection, organisationId, all)
  if (!target) return { faults: [{ field: collection, reason: 'have no schema yet.' }] }
  const places = await placesOf(collection, all, form)
  const paths = new Set(places.map(({ path }) => path))
  const named = [
    ...mapping.columns.map(({ field }, place) => ({ name: `columns.${place}.field`, field })),
    ...Object.keys(mapping.same).map((field) => ({ name: `same.${field}`, field })),
  ]
  const faults = named.flatMap(({ name, field }) =>
    field === null || paths.has(field)
      ? []
      : [{ field: name, reason: `${field} is no field or property of ${collection}.` }],
  )
  const match = mapping.match.map((name) => ({ name, field: matched(name, mapping, places) }))
  for (const { name, field } of match) {
    const reason = `${name} is no field that a column of the file gives.`
    if (field === undefined) faults.push({ field: 'match', reason })
  }
  if (faults.length > 0) return { faults }
  const matching = { ...mapping, match: match.flatMap(({ field }) => field ?? []) }
  return {
    rules: {
      mapping: matching,
      places,
      target: collection === answers ? answering(target) : target,
      schemas: all,
    },
    ...(added && { schema: added }),
  }
}

/** The field that people are to be matched by, as it is called or as it usually is: `email`, `name`. */
function matched(name: string, { columns }: Mapping, places: readonly Place[]): string | undefined {
  const given = places.filter(({ path }) => columns.some(({ field }) => field === path))
  const isCalled = ({ names }: Place) => names.some((one) => plain(one) === plain(name))
  const isUsual = ({ names }: Place) =>
    usualName(name) !== undefined && names.some((one) => usualName(one) === usualName(name))
  return (given.find(isCalled) ?? given.find(isUsual))?.path
}

type Added = { kind: Kind; schema: Schema }

function addedTo(
  schemas: Schemas,
  { collection, fields }: Mapping,
): Added | { faults: Fault[] } | undefined {
  if (!isKind(collection)) return undefined
  const before = schemas[collection]
  const known = new Set(before?.fields.map(({ id }) => id))
  const added = fields.filter(({ id }) => !known.has(id))
  if (before && added.length === 0) return undefined
  const last = Math.max(-1, ...(before?.fields.map(({ order }) => order) ?? []))
  const checked = parseSchema(collection, {
    ...(before && { name: before.name }),
    fields: [
      ...(before?.fields ?? []),
      ...added.map((field, place) => ({ order: last + 1 + place, ...field })),
    ],
  })
  return checked.success
    ? { kind: collection, schema: checked.data }
    : { faults: faultsOf(checked.error) }
}
