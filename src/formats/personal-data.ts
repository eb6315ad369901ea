import type { Collection } from '../model/collection.ts'
import { kinds } from '../model/properties/schema.ts'
import type { PersonSignUp } from '../store/sign-up/person-sign-ups.ts'
import { renderContents } from './contents.ts'
import { createCsvWriter, recordColumns } from './csv.ts'
import { serialiseObject } from './json.ts'
import type { ListColumn } from './list-page.ts'
import { fieldColumns } from './person-layout.ts'
import type { PersonalData } from './personal-data-types.ts'

/** Yields a JSON object with all data about a person, page by page. */
export async function* serialisePersonalData(
  personalData: PersonalData,
): AsyncGenerator<string, void> {
  const { at, deletedAt = null, properties, otherValues, linked, previousVersions } = personalData
  const { hiddenCollections, shared, withheld } = personalData
  const firstProperties = {
    at: JSON.stringify(at),
    deletedAt: JSON.stringify(deletedAt),
    ...properties,
    otherValues: JSON.stringify(otherValues),
  }
  yield serialiseObject(firstProperties).slice(0, -1)
  for (const { collection, pages } of linked) {
    let separator = `,${JSON.stringify(collection.plural)}:[`
    for await (const documents of pages()) {
      yield separator + documents.join(',')
      separator = ','
    }
    yield separator === ',' ? ']' : `${separator}]`
  }
  const versions = previousVersions.map(({ replacedAt, text }) =>
    serialiseObject({ replacedAt: JSON.stringify(replacedAt), record: text }),
  )
  yield `,"previousVersions":[${versions.join(',')}]`
  const signUps = await personalData.readSignUps()
  yield `,"signUps":${JSON.stringify(signUps)}`
  yield `,"messages":${JSON.stringify(await personalData.readMessages(signUps))}`
  yield `,"drafts":${JSON.stringify(await personalData.readDrafts())}`
  for (const { plural } of hiddenCollections) yield `,${JSON.stringify(plural)}:[]`
  yield `,${serialiseObject({ shared: JSON.stringify(shared), withheld: JSON.stringify(withheld) }).slice(1)}`
}

export type ArchiveFile = { name: string; texts: AsyncGenerator<string, void> }

/** Yields the files of the zip: a CSV file of the record, one of each collection with records, and a page of contents. */
export async function* buildArchiveFiles(
  personalData: PersonalData,
): AsyncGenerator<ArchiveFile, void> {
  const { kind, document, layout, otherValues, linked, previousVersions } = personalData
  const { singular, id: idName } = kinds[kind]
  const columns: ListColumn[] = [
    { path: [idName], name: idName },
    ...fieldColumns(layout),
    ...Object.keys(otherValues).map((name) => ({ path: [name], name })),
  ]
  yield { name: `${singular}.csv`, texts: writeCsv(columns, [document]) }
  const counts = new Map<string, number>()
  if (previousVersions.length > 0) {
    counts.set('previous-versions', previousVersions.length)
    const documents = previousVersions.map(({ replacedAt, document }) =>
      JSON.stringify({ ...JSON.parse(document), $replacedAt: replacedAt }),
    )
    const replacedAt = { path: ['$replacedAt'], name: 'replacedAt' }
    yield {
      name: 'previous-versions.csv',
      texts: writeCsv([replacedAt, ...fieldColumns(layout)], documents),
    }
  }
  for (const { collection, pages } of linked) {
    const { name } = collection
    counts.set(name, 0)
    const otherPages = pages()
    const { value: first } = await otherPages.next()
    if (!first) continue
    const countPages = async function* () {
      for await (const page of prependPage(first, otherPages)) {
        counts.set(name, (counts.get(name) ?? 0) + page.length)
        yield page
      }
    }
    yield { name: `${name}.csv`, texts: writeCsv(...buildTable(collection, countPages())) }
  }
  const signUps = await personalData.readSignUps()
  if (signUps.length > 0) {
    counts.set('sign-ups', signUps.length)
    const documents = signUps.map((signUp) => JSON.stringify(signUp))
    yield { name: 'sign-ups.csv', texts: writeCsv(signUpColumns(signUps), documents) }
  }
  const messages = await personalData.readMessages(signUps)
  if (messages.length > 0) {
    counts.set('messages', messages.length)
    const documents = messages.map((message) => JSON.stringify(message))
    yield { name: 'messages.csv', texts: writeCsv(messageColumns, documents) }
  }
  const drafts = await personalData.readDrafts()
  if (drafts.length > 0) {
    counts.set('drafts', drafts.length)
    const columns = ['saved', 'formId', 'entries'].map((name) => ({ path: [name], name }))
    const documents = drafts.map((draft) => JSON.stringify(draft))
    yield { name: 'drafts.csv', texts: writeCsv(columns, documents) }
  }
  yield { name: 'contents.html', texts: singleText(() => renderContents(personalData, counts)) }
}

/** A column for each answer of any sign-up, after the booking and the contact. */
function signUpColumns(signUps: readonly PersonSignUp[]): ListColumn[] {
  const ids = (name: 'answers' | 'questionAnswers') => [
    ...new Set(signUps.flatMap((signUp) => Object.keys(signUp[name]))),
  ]
  const paths = [
    ...[['bookingId'], ['contact', 'name'], ['contact', 'email']],
    ...ids('answers').map((id) => ['answers', id]),
    ...ids('questionAnswers').map((id) => ['questionAnswers', id]),
  ]
  return paths.map((path) => ({ path, name: path.join('.') }))
}

const messageColumns: ListColumn[] = [
  'updated',
  'state',
  'purpose',
  'subject',
  'recordId',
  'address',
].map((name) => ({ path: [name], name }))

async function* prependPage<Page>(
  first: Page,
  otherPages: AsyncIterable<Page>,
): AsyncGenerator<Page> {
  yield first
  yield* otherPages
}

type Pages = AsyncIterable<readonly string[]>

/** The columns and rows of records; survey responses have a row for each answer. */
function buildTable({ name, record }: Collection, pages: Pages): [ListColumn[], Pages] {
  const columns = recordColumns(record)
  if (name !== 'survey-responses') return [columns, pages]
  const answer = ['question', 'response'].map((name) => ({ path: ['answer', name], name }))
  const otherColumns = columns.filter((column) => column.name !== 'responses')
  return [[...otherColumns, ...answer], splitAnswers(pages)]
}

async function* splitAnswers(pages: Pages): AsyncGenerator<string[]> {
  for await (const documents of pages) {
    yield documents.flatMap((document) => {
      const { responses, ...otherProperties }: { responses?: unknown[] } = JSON.parse(document)
      const answers = responses?.length ? responses : [{}]
      return answers.map((answer) => JSON.stringify({ ...otherProperties, answer }))
    })
  }
}

/** Yields the text of a CSV file with labels as headings. */
async function* writeCsv(
  columns: readonly ListColumn[],
  pages: Pages | readonly string[],
): AsyncGenerator<string, void> {
  const page = (documents: readonly string[]) => ({
    count: documents.length,
    items: () => documents,
    documents: () => documents,
    columns: () => columns,
  })
  const options = { $labels: true, $bom: true, $formulas: 'quoted' as const, times: false }
  const { head, rows } = createCsvWriter(options).begin(page([]))
  yield head
  if (Array.isArray(pages)) yield rows(page(pages))
  else for await (const documents of pages as Pages) yield rows(page(documents))
}

async function* singleText(text: () => string): AsyncGenerator<string, void> {
  yield text()
}
