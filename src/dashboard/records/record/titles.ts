import type { Context } from 'hono'
import { redactorOf } from '../../../resources/routes/resource.ts'
import { readDocuments } from '../../../store/history/documents.ts'
import { describeCollection, recordTitle } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'

export type RecordKey = { collection: string; id: string }

/** The title of a record. A deleted record has one while it can be restored. */
type RecordTitle = { title: string; isDeleted: boolean }

/** Finds the title of a record that was loaded together with others. */
export type FindTitle = (collection: string, id: string) => RecordTitle | undefined

/** Loads the titles of records. A record that is gone for good has none. */
export async function loadTitles(
  c: Context<DashboardEnv>,
  keys: readonly RecordKey[],
): Promise<FindTitle> {
  const unique = new Map(keys.map((key) => [toText(key), key]))
  const documents = await readDocuments(c.var.store, [...unique.values()])
  const groups = Map.groupBy(documents, ({ collection }) => collection)
  const titles = await Promise.all(
    [...groups].map(async ([name, records]) => {
      const info = await describeCollection(c, name)
      const redact = redactorOf(info.resource, c.var.store.policy)
      return records.map(
        (record) =>
          [
            toText(record),
            {
              title: recordTitle(info, JSON.parse(redact(record.document))),
              isDeleted: record.isDeleted,
            },
          ] as const,
      )
    }),
  )
  const byKey = new Map(titles.flat())
  return (collection, id) => byKey.get(toText({ collection, id }))
}

const toText = ({ collection, id }: RecordKey) => JSON.stringify([collection, id])
