import type { Context } from 'hono'
import { type Kind, kindNames } from '../../model/properties/schema.ts'
import { buildPersonSearch } from '../../records/search-people.ts'
import { searchPeople } from '../../store/people/search.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page, RowsRead } from '../ui/page.tsx'
import { recordsPath } from '../ui/paths.ts'
import { type CollectionInfo, describeCollection, type Values } from './collection-info.ts'
import { parseListQuery } from './list.ts'
import { RecordTable } from './record-table.tsx'

const maxShown = 25

/** Renders a search across all person kinds. */
export async function renderSearchPage(c: Context<DashboardEnv>) {
  const query = c.req.query('q') ?? ''
  const results = await Promise.all(kindNames.map((kind) => findPeople(c, kind, query)))
  const count = results.reduce((sum, { people }) => sum + people.length, 0)
  return c.html(
    <Page c={c} title="Find a person">
      <PersonSearchForm action={`${recordsPath(c)}/search`} query={query} />
      {query.trim().length > 0 && count === 0 && (
        <p role="status">Nobody matches. Try the beginning of a first or last name.</p>
      )}
      {results
        .filter(({ people }) => people.length > 0)
        .map(({ collection, people }) => (
          <section>
            <h2>{collection.label}</h2>
            <RecordTable
              c={c}
              collection={collection}
              query={parseListQuery(new URLSearchParams(), collection)}
              records={people}
            />
            {people.length === maxShown && (
              <p>
                <small>
                  These are the first {maxShown} matches. Type more to narrow the search.
                </small>
              </p>
            )}
          </section>
        ))}
      <RowsRead c={c} />
    </Page>,
  )
}

async function findPeople(
  c: Context<DashboardEnv>,
  kind: Kind,
  query: string,
): Promise<{ collection: CollectionInfo; people: Values[] }> {
  const collection = await describeCollection(c, kind)
  const search = buildPersonSearch(kind, collection.fields, query)
  const people = search ? await searchPeople(c.var.store, kind, search, maxShown) : []
  return {
    collection: collection,
    people: people.map(({ document }): Values => JSON.parse(document)),
  }
}

/** Renders a search form for people. */
export function PersonSearchForm({ action, query = '' }: { action: string; query?: string }) {
  return (
    <search>
      <form method="get" action={action} class="search">
        <label for="find">Find a person</label>
        <div class="inline-fields">
          <input
            id="find"
            type="search"
            name="q"
            value={query}
            required
            minlength={2}
            maxlength={100}
            autocomplete="off"
            aria-describedby="find-help"
          />
          <button type="submit">Find</button>
        </div>
        <small id="find-help">
          Part of a name, or the start of an e-mail address, phone number, postcode or id
        </small>
      </form>
    </search>
  )
}
