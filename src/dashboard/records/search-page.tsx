import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { type Kind, kindNames } from '../../model/schema.ts'
import { soughtBy } from '../../people/search.ts'
import { searchPeople } from '../../store/search.ts'
import { Page } from '../page.tsx'
import { RowsRead } from '../parts/rows-read.tsx'
import { type Described, described, type Values } from './described.ts'
import { FindPerson } from './find-person.tsx'
import { listQueryOf } from './list-query.ts'
import { pathOfRecords } from './paths.ts'
import { RecordTable } from './record-table.tsx'

const mostShown = 25

/** The people of every kind who are found by what was typed. */
export async function searchPage(c: Context<DashboardEnv>) {
  const typed = c.req.query('q') ?? ''
  const found = await Promise.all(kindNames.map((kind) => peopleFound(c, kind, typed)))
  const count = found.reduce((sum, { people }) => sum + people.length, 0)
  return c.html(
    <Page c={c} title="Find a person">
      <FindPerson action={`${pathOfRecords(c)}/search`} typed={typed} />
      {typed.trim().length > 0 && count === 0 && (
        <p role="status">Nobody is found by that. Try the beginning of a first or last name.</p>
      )}
      {found
        .filter(({ people }) => people.length > 0)
        .map(({ described, people }) => (
          <section>
            <h2>{described.label}</h2>
            <RecordTable
              c={c}
              described={described}
              query={listQueryOf(new URLSearchParams(), described)}
              records={people}
            />
            {people.length === mostShown && (
              <p>
                <small>These are the first {mostShown}. Type more to see fewer.</small>
              </p>
            )}
          </section>
        ))}
      <RowsRead c={c} />
    </Page>,
  )
}

async function peopleFound(
  c: Context<DashboardEnv>,
  kind: Kind,
  typed: string,
): Promise<{ described: Described; people: Values[] }> {
  const about = await described(c, kind)
  const sought = soughtBy(kind, about.fields, typed)
  const people = sought ? await searchPeople(c.var.store, kind, sought, mostShown) : []
  return {
    described: about,
    people: people.map(({ document }): Values => JSON.parse(document)),
  }
}
