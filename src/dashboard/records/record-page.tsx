import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { references } from '../../model/references.ts'
import { valueAt } from '../../model/value-at.ts'
import type { HistoryEntry } from '../../store/history.ts'
import { AsCall } from '../connect/as-call.tsx'
import { may } from '../may.ts'
import { Page } from '../page.tsx'
import { RowsRead } from '../parts/rows-read.tsx'
import { Said } from '../parts/said.tsx'
import { inWords } from '../words.ts'
import { type Described, titleOf } from './described.ts'
import { HistoryTable } from './history-table.tsx'
import type { Named, Naming } from './links.ts'
import { addressOf, listQueryOf } from './list-query.ts'
import { OnRequest } from './on-request.tsx'
import { pathOfCollection, pathOfCsv, pathOfRecord } from './paths.ts'
import type { Property } from './properties.ts'
import type { OneRecord } from './record.ts'
import { RecordTable } from './record-table.tsx'
import { isNone, Value } from './value.tsx'

type Props = {
  c: Context<DashboardEnv>
  described: Described
  record: OneRecord
  named: readonly Named[]
  naming: readonly Naming[]
  history: readonly HistoryEntry[]
  notice: string | undefined
}

/** A record whole: its values under their headings, what it names and what names it, and what became of it. */
export function RecordPage({ c, described, record, named, naming, history, notice }: Props) {
  const { name, one, kind, plural, id: idName } = described
  const path = pathOfRecord(c, name, record.id)
  const unused = references
    .filter(
      ({ from, to }) => to === name && !naming.some(({ reference }) => reference.from === from),
    )
    .map(({ from }) => inWords(from).toLowerCase())
  const none = [...new Set(unused)]
  return (
    <Page
      c={c}
      title={titleOf(described, record.values)}
      beside={
        may(c, 'write') && (
          <>
            <a class="button main" href={`${path}/edit`}>
              Edit
            </a>
            {kind && (
              <a class="button" href={`${path}/merge`}>
                Merge
              </a>
            )}
            <a class="button" href={`${path}/delete`}>
              Delete
            </a>
          </>
        )
      }
    >
      <Said notice={notice} />
      <p>
        <a href={pathOfCollection(c, name)}>{described.label}</a>
      </p>
      <div class="cards flow">
        {bySection(described.properties, record).map(([section, properties]) => (
          <section class="card">
            <h2>{section || inWords(one)}</h2>
            <dl class="facts">
              {section === '' && <Fact label="Id">{record.id}</Fact>}
              {properties.map((property) => (
                <Fact label={property.label}>
                  <Shown c={c} property={property} record={record} named={named} />
                </Fact>
              ))}
            </dl>
          </section>
        ))}
        {kind && may(c, 'write') && <OnRequest c={c} path={path} one={one} />}
      </div>
      {naming.map(({ reference, described: from, total, first }) => (
        <section>
          <div class="head">
            <h2>
              {from.label} ({total.toLocaleString('en-GB')})
            </h2>
            <div class="acts">
              {total > first.length && (
                <a class="button" href={filteredBy(c, from, reference.path, record.id)}>
                  Show all
                </a>
              )}
              <a
                class="button"
                href={pathOfCsv(c, from.name, new URLSearchParams({ [reference.path]: record.id }))}
                aria-label={`Download CSV of ${from.label}`}
                download
              >
                Download CSV
              </a>
            </div>
          </div>
          <RecordTable
            c={c}
            described={from}
            query={onlyFilter(from, reference.path, record.id)}
            records={first}
          />
        </section>
      ))}
      {none.length > 0 && (
        <p>
          <small>
            No {none.join(', no ')} of this {one} yet.
          </small>
        </p>
      )}
      <section>
        <h2>History</h2>
        <dl class="facts">
          <Fact label="Here since">
            <Value value={record.created} kind="time" />
          </Fact>
          <Fact label="Last changed">
            <Value value={record.updated} kind="time" />
          </Fact>
        </dl>
        <HistoryTable described={described} history={history} />
        <p>
          <small>
            Times are those of the United Kingdom. Of the changes, the last 50 are kept.
          </small>
        </p>
      </section>
      <AsCall
        c={c}
        name={name}
        plural={plural}
        query={new URLSearchParams({ [idName]: record.id })}
      />
      <RowsRead c={c} />
    </Page>
  )
}

function Fact({ label, children }: { label: string; children?: unknown }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type ShownProps = Pick<Props, 'c' | 'record' | 'named'> & { property: Property }

/** A value; of one that names another record, a link to that. */
function Shown({ c, property, record, named }: ShownProps) {
  const links = named.filter(
    ({ path }) => path === property.name || path.startsWith(`${property.name}.`),
  )
  if (links.length === 0) {
    return <Value value={valueAt(record.values, property.path)} kind={property.kind} />
  }
  return (
    <>
      {links.map(({ to, id, title }) => (
        <a href={pathOfRecord(c, to, id)}>{title}</a>
      ))}
    </>
  )
}

/** The properties that have a value, by their headings in order. */
function bySection(properties: readonly Property[], { values }: OneRecord): [string, Property[]][] {
  const sections = new Map<string, Property[]>([['', []]])
  for (const property of properties) {
    const value = valueAt(values, property.path)
    if (isNone(value) || (Array.isArray(value) && value.length === 0)) continue
    const known = sections.get(property.section)
    if (known) known.push(property)
    else sections.set(property.section, [property])
  }
  return [...sections]
}

const onlyFilter = (described: Described, path: string, id: string) =>
  listQueryOf(new URLSearchParams({ [path]: id }), described)

const filteredBy = (c: Context<DashboardEnv>, described: Described, path: string, id: string) =>
  pathOfCollection(c, described.name) + addressOf(onlyFilter(described, path, id), described, {})
