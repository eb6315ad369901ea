import type { Context } from 'hono'
import { valueAt } from '../../model/json.ts'
import { type Property, toLabel } from '../../model/properties/compile.ts'
import { references } from '../../model/references.ts'
import { formatNumber } from '../../platform/format-number.ts'
import type { HistoryEntry } from '../../store/read/history.ts'
import { ApiCallExample } from '../connect/snippets.tsx'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Notice } from '../ui/notice.tsx'
import { Page, RowsRead } from '../ui/page.tsx'
import { collectionPath, csvPath, recordPath } from '../ui/paths.ts'
import { isEmpty, Value } from '../ui/value.tsx'
import { type CollectionInfo, recordTitle } from './collection-info.ts'
import { HistoryTable, PersonalDataCard } from './history.tsx'
import { formatListQuery, parseListQuery } from './list.ts'
import type { LoadedRecord, ReferencedRecord, ReferencingRecords } from './read.ts'
import { RecordTable } from './record-table.tsx'

type Props = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  record: LoadedRecord
  referenced: readonly ReferencedRecord[]
  referencing: readonly ReferencingRecords[]
  history: readonly HistoryEntry[]
  notice: string | undefined
}

/** Renders a record: values by section, references in both directions, and history. */
export function RecordPage({
  c,
  collection,
  record,
  referenced,
  referencing,
  history,
  notice,
}: Props) {
  const { name, singularLabel, kind, plural, id: idName } = collection
  const path = recordPath(c, name, record.id)
  const unused = references
    .filter(
      ({ from, to }) =>
        to === name && !referencing.some(({ reference }) => reference.from === from),
    )
    .map(({ from }) => toLabel(from).toLowerCase())
  const emptyCollections = [...new Set(unused)]
  return (
    <Page
      c={c}
      title={recordTitle(collection, record.values)}
      actions={
        can(c, 'write') && (
          <>
            <a class="button primary" href={`${path}/edit`}>
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
      <Notice message={notice} />
      <p>
        <a href={collectionPath(c, name)}>{collection.label}</a>
      </p>
      <div class="cards masonry">
        {groupBySection(collection.properties, record).map(([section, properties]) => (
          <section class="card">
            <h2>{section || toLabel(singularLabel)}</h2>
            <dl class="summary-list">
              {section === '' && <Fact label="Id">{record.id}</Fact>}
              {properties.map((property) => (
                <Fact label={property.label}>
                  <PropertyValue
                    c={c}
                    property={property}
                    record={record}
                    referenced={referenced}
                  />
                </Fact>
              ))}
            </dl>
          </section>
        ))}
        {kind && can(c, 'write') && (
          <PersonalDataCard c={c} path={path} singularLabel={singularLabel} />
        )}
      </div>
      {referencing.map(({ reference, collection: from, total, first }) => (
        <section>
          <div class="heading-row">
            <h2>
              {from.label} ({formatNumber(total)})
            </h2>
            <div class="buttons">
              {total > first.length && (
                <a class="button" href={filteredListPath(c, from, reference.path, record.id)}>
                  Show all
                </a>
              )}
              <a
                class="button"
                href={csvPath(c, from.name, new URLSearchParams({ [reference.path]: record.id }))}
                aria-label={`Download CSV of ${from.label}`}
                download
              >
                Download CSV
              </a>
            </div>
          </div>
          <RecordTable
            c={c}
            collection={from}
            query={buildFilterQuery(from, reference.path, record.id)}
            records={first}
          />
        </section>
      ))}
      {emptyCollections.length > 0 && (
        <p>
          <small>
            This {singularLabel} has no {emptyCollections.join(', no ')} yet.
          </small>
        </p>
      )}
      <section>
        <h2>History</h2>
        <dl class="summary-list">
          <Fact label="Created">
            <Value value={record.created} type="time" />
          </Fact>
          <Fact label="Last changed">
            <Value value={record.updated} type="time" />
          </Fact>
        </dl>
        <HistoryTable collection={collection} history={history} />
        <p>
          <small>Times are in UK time. The history keeps the last 50 changes.</small>
        </p>
      </section>
      <ApiCallExample
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

type PropertyValueProps = Pick<Props, 'c' | 'record' | 'referenced'> & { property: Property }

/** Renders a property's value, or links to the records that it refers to. */
function PropertyValue({ c, property, record, referenced }: PropertyValueProps) {
  const links = referenced.filter(
    ({ path }) => path === property.name || path.startsWith(`${property.name}.`),
  )
  if (links.length === 0) {
    return <Value value={valueAt(record.values, property.path)} type={property.type} />
  }
  return (
    <>
      {links.map(({ to, id, title }) => (
        <a href={recordPath(c, to, id)}>{title}</a>
      ))}
    </>
  )
}

/** Groups the properties with values by section, in order. */
function groupBySection(
  properties: readonly Property[],
  { values }: LoadedRecord,
): [string, Property[]][] {
  const sections = new Map<string, Property[]>([['', []]])
  for (const property of properties) {
    const value = valueAt(values, property.path)
    if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) continue
    const section = sections.get(property.section)
    if (section) section.push(property)
    else sections.set(property.section, [property])
  }
  return [...sections]
}

const buildFilterQuery = (collection: CollectionInfo, path: string, id: string) =>
  parseListQuery(new URLSearchParams({ [path]: id }), collection)

const filteredListPath = (
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  path: string,
  id: string,
) =>
  collectionPath(c, collection.name) +
  formatListQuery(buildFilterQuery(collection, path, id), collection, {})
