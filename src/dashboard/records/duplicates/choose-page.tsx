import type { Context } from 'hono'
import { searchPeople } from '../../../records/search/search-people.ts'
import { describeChoice } from '../../collection/choices.ts'
import { type CollectionInfo, recordTitle } from '../../collection/collection-info.ts'
import type { LoadedRecord } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Page } from '../../ui/page.tsx'
import { collectionPath, recordPath } from '../../ui/paths.ts'
import { PersonSearchForm } from '../../ui/person-search-form.tsx'

const maxShown = 20

/** Renders a search for the duplicate of a person, which starts with the person's own name. */
export async function renderChoosePage(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  survivor: LoadedRecord,
) {
  const { name, label, kind, fields } = collection
  const title = recordTitle(collection, survivor.values)
  const query = c.req.query('q') ?? title
  const found = kind && (await searchPeople(c.var.store, { kind, fields }, query))
  const people = (await found?.read(0, maxShown + 1)) ?? []
  const others = people.filter(({ id }) => id !== survivor.id).slice(0, maxShown)
  const path = recordPath(c, name, survivor.id)
  return c.html(
    <Page
      c={c}
      title={`Merge ${title} with another person`}
      crumbs={[
        { name: label, href: collectionPath(c, name) },
        { name: title, href: path },
      ]}
    >
      <PersonSearchForm action={`${path}/merge`} query={query} />
      {others.length === 0 && <p role="status">Nobody else matches.</p>}
      <ul class="stack">
        {others
          .map(({ document }) => describeChoice(collection, JSON.parse(document)))
          .map((choice) => (
            <li>
              <div class="title">
                <span>
                  {choice.title} <span class="quiet">{choice.detail}</span>
                </span>
                <a
                  class="button"
                  href={`${path}/merge?${new URLSearchParams({ with: choice.id })}`}
                  aria-label={`Choose ${choice.title}`}
                >
                  Choose
                </a>
              </div>
            </li>
          ))}
      </ul>
    </Page>,
  )
}
