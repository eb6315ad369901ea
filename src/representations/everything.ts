import type { Collection } from '../model/collection.ts'
import { kinds } from '../model/schema.ts'
import type { Everything } from '../people/everything.ts'
import { fieldColumns } from '../people/layout.ts'
import { contents } from './contents.ts'
import { columnsOf, csv } from './csv.ts'
import { object } from './json.ts'
import type { Column } from './list-page.ts'

/** The whole as the text of a JSON object, page by page. */
export async function* everythingJson(everything: Everything): AsyncGenerator<string, void> {
  const { at, shown, otherValues, linked, hidden, shared, withheld } = everything
  const begun = { at: JSON.stringify(at), ...shown, otherValues: JSON.stringify(otherValues) }
  yield object(begun).slice(0, -1)
  for (const { collection, pages } of linked) {
    let between = `,${JSON.stringify(collection.plural)}:[`
    for await (const documents of pages()) {
      yield between + documents.join(',')
      between = ','
    }
    yield between === ',' ? ']' : `${between}]`
  }
  for (const { plural } of hidden) yield `,${JSON.stringify(plural)}:[]`
  yield `,${object({ shared: JSON.stringify(shared), withheld: JSON.stringify(withheld) }).slice(1)}`
}

/** A file of a zip. */
export type File = { name: string; texts: AsyncGenerator<string, void> }

/** The whole as files: CSV for the record and for each collection that has something of theirs, and last a page of contents in plain words. */
export async function* everythingFiles(everything: Everything): AsyncGenerator<File, void> {
  const { kind, document, layout, otherValues, linked } = everything
  const { singular, id: idName } = kinds[kind]
  const columns: Column[] = [
    { path: [idName], name: idName },
    ...fieldColumns(layout),
    ...Object.keys(otherValues).map((name) => ({ path: [name], name })),
  ]
  yield { name: `${singular}.csv`, texts: table(columns, [document]) }
  const counts = new Map<string, number>()
  for (const { collection, pages } of linked) {
    const { name } = collection
    counts.set(name, 0)
    const others = pages()
    const { value: first } = await others.next()
    if (!first) continue
    const counted = async function* () {
      for await (const page of following(first, others)) {
        counts.set(name, (counts.get(name) ?? 0) + page.length)
        yield page
      }
    }
    yield { name: `${name}.csv`, texts: table(...rowsOf(collection, counted())) }
  }
  yield { name: 'contents.html', texts: one(() => contents(everything, counts)) }
}

async function* following<Page>(first: Page, others: AsyncIterable<Page>): AsyncGenerator<Page> {
  yield first
  yield* others
}

type Pages = AsyncIterable<readonly string[]>

/** The columns and rows of records; of survey responses a row for each answer. */
function rowsOf({ name, record }: Collection, pages: Pages): [Column[], Pages] {
  const columns = columnsOf(record)
  if (name !== 'survey-responses') return [columns, pages]
  const answer = ['question', 'response'].map((name) => ({ path: ['answer', name], name }))
  const others = columns.filter((column) => column.name !== 'responses')
  return [[...others, ...answer], answersIn(pages)]
}

async function* answersIn(pages: Pages): AsyncGenerator<string[]> {
  for await (const documents of pages) {
    yield documents.flatMap((document) => {
      const { responses, ...others }: { responses?: unknown[] } = JSON.parse(document)
      const answers = responses?.length ? responses : [{}]
      return answers.map((answer) => JSON.stringify({ ...others, answer }))
    })
  }
}

/** The text of a CSV file with labels for people to read. */
async function* table(
  columns: readonly Column[],
  pages: Pages | readonly string[],
): AsyncGenerator<string, void> {
  const page = (documents: readonly string[]) => ({
    count: documents.length,
    items: () => documents,
    documents: () => documents,
    columns: () => columns,
  })
  const written = { $labels: true, $bom: true, $formulas: 'quoted' as const, times: false }
  const { head, rows } = csv(written).begin(page([]))
  yield head
  if (Array.isArray(pages)) yield rows(page(pages))
  else for await (const documents of pages as Pages) yield rows(page(documents))
}

async function* one(text: () => string): AsyncGenerator<string, void> {
  yield text()
}
