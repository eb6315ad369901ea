import type { RecordValues } from '../../model/record-properties.ts'
import { recordRules } from '../../records/record-rules.ts'
import type { Rules } from '../../records/rules.ts'
import { collection as disbursements } from '../../resources/disbursements.ts'
import { type fundRecord, collection as funds } from '../../resources/funds.ts'
import { collection as applications } from '../../resources/grant-applications.ts'
import { type ImportCounts, RunningImport } from '../../store/imports/running-import.ts'
import { walkDocuments } from '../../store/read/walk-records.ts'
import type { ImportRow } from '../candidates/import-row.ts'
import { toInvalidRow, toRow } from '../candidates/partial-rows.ts'
import { ErrorCollector, groupErrors } from '../report/error-collector.ts'
import { writeNothing } from '../report/import-result.ts'
import { readJsonElements } from '../rows/json-elements.ts'
import {
  ImportInterruptedError,
  type ParsedRecord,
  parseRecord,
  readUtf8,
  type Source,
  UnreadableFileError,
  unreadable,
} from '../source/source.ts'
import type { Adapter, AdapterDestination, AdapterResult } from './adapter.ts'
import { CollectionImport } from './collection-import.ts'
import { FundTotals } from './fund-totals.ts'
import { source as publisher } from './published-grant.ts'
import {
  createGrantConverter,
  type GrantRecords,
  publishedApplicationRules,
} from './three-sixty-giving.ts'

const maxChunkGrants = 250

/** The adapter for files in the 360Giving Data Standard. */
export const threeSixtyGiving: Adapter = {
  name: '360giving',
  description: 'import a file in the 360Giving Data Standard',
  check: checkGrants,
  import: importGrants,
  summarise: ({ numbers: { applications, funds, disbursements } }) =>
    `${applications} grants imported as grant applications, with ${funds} funds and ${disbursements} disbursements`,
}

/** Imports a file of grants. Throws ImportInterruptedError if a write fails. */
async function importGrants(
  source: Source,
  destination: AdapterDestination,
): Promise<AdapterResult> {
  const { records: grants, errors } = await checkGrants(source)
  if (errors.length > 0) {
    const numbers = { applications: 0, funds: 0, disbursements: 0 }
    return { ...writeNothing({ records: 0, rejected: 0, errors }), numbers }
  }
  const grantsImport = new GrantsImport(destination, source)
  try {
    return await grantsImport.write()
  } catch (error) {
    await grantsImport.settle()
    throw new ImportInterruptedError(source.name, grantsImport.applications, grants, error)
  }
}

/** The number of grants in a file, or the error that makes it unreadable. */
async function checkGrants(source: Source) {
  let records = 0
  try {
    for await (const _ of readJsonElements(readUtf8(source), 'grants')) records++
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    return { records, errors: groupErrors([{ line: error.line, ...unreadable(error.message) }]) }
  }
  return { records, errors: [] }
}

/** Imports each grant as rows of several collections, with one pass per collection. */
class GrantsImport {
  readonly #destination: AdapterDestination
  readonly #source: Source
  readonly #run: RunningImport
  readonly #errors = new ErrorCollector()
  readonly #applications: CollectionImport
  readonly #disbursements: CollectionImport

  constructor(destination: AdapterDestination, source: Source) {
    const { organisationId } = destination
    this.#destination = destination
    this.#source = source
    this.#run = new RunningImport(destination.store, {
      collection: applications.name,
      source,
      through: 'import',
    })
    this.#applications = this.#startImport(publishedApplicationRules(organisationId))
    this.#disbursements = this.#startImport(recordRules(disbursements, organisationId))
  }

  /** The number of written and unchanged applications. */
  get applications(): number {
    return this.#applications.pass.report.doneRecords
  }

  async settle(): Promise<void> {
    await Promise.all([this.#applications.pass.settle(), this.#disbursements.pass.settle()])
  }

  async write(): Promise<AdapterResult> {
    const converter = createGrantConverter(this.#destination.organisationId)
    let chunk: Grant[] = []
    for await (const { line, text } of readJsonElements(readUtf8(this.#source), 'grants')) {
      chunk.push(toGrant(parseRecord(line, text), converter))
      if (chunk.length < maxChunkGrants) continue
      await this.#writeChunk(chunk)
      chunk = []
    }
    await this.#writeChunk(chunk)
    const totals = await computeFundTotals(this.#destination)
    for await (const updates of listFundTotals(this.#destination, totals))
      await this.#writeFunds(updates)
    const programmes = converter.funds(totals).map((fund) => toGrantRow(0, fund.fundId, fund))
    const imports = [this.#applications, await this.#writeFunds(programmes), this.#disbursements]
    const results = imports.map(({ pass }) => pass.report.result)
    const sum = (name: keyof ImportCounts | 'records') =>
      results.reduce((total, { [name]: count }) => total + count, 0)
    const counts: ImportCounts = {
      created: sum('created'),
      updated: sum('updated'),
      unchanged: sum('unchanged'),
      rejected: sum('rejected'),
    }
    await this.#run.finish(counts)
    const [applied, funded, disbursed] = results.map(({ records }) => records)
    return {
      records: sum('records'),
      ...counts,
      errors: this.#errors.groups,
      numbers: {
        applications: applied ?? 0,
        funds: funded ?? 0,
        disbursements: disbursed ?? 0,
      },
    }
  }

  /** Writes the applications of a chunk, then the disbursements of valid applications. */
  async #writeChunk(grants: readonly Grant[]): Promise<void> {
    const rows = grants.map(({ row }) => row)
    await this.#applications.write(rows)
    const paid = grants.flatMap(({ line, row, disbursement }) =>
      disbursement && row.errors.length === 0
        ? [toGrantRow(line, disbursement.disbursementId, disbursement)]
        : [],
    )
    await this.#disbursements.write(paid)
  }

  async #writeFunds(rows: readonly ImportRow[]): Promise<CollectionImport> {
    const fundImport = this.#startImport(recordRules(funds, this.#destination.organisationId))
    for (let start = 0; start < rows.length; start += maxChunkGrants)
      await fundImport.write(rows.slice(start, start + maxChunkGrants))
    return fundImport
  }

  #startImport(rules: Rules): CollectionImport {
    return new CollectionImport(rules, { ...this.#destination, run: this.#run }, this.#errors)
  }
}

/** A grant as the row of its application, with its disbursement if money was paid. */
type Grant = { line: number; row: ImportRow; disbursement?: GrantRecords['disbursement'] }

function toGrant(record: ParsedRecord, converter: ReturnType<typeof createGrantConverter>): Grant {
  const { line } = record
  if ('broken' in record) return { line, row: toInvalidRow(line, [unreadable(record.broken)]) }
  const converted = converter.add(record.value)
  if ('errors' in converted) return { line, row: toInvalidRow(line, converted.errors) }
  const { application, disbursement } = converted
  return { line, row: toGrantRow(line, application.applicationId, application), disbursement }
}

// JSON drops undefined properties, so the merge keeps their stored values.
const toGrantRow = (line: number, id: string, record: object) =>
  toRow(line, id, JSON.parse(JSON.stringify(record)))

/** Sums all stored applications, because a programme may be published in several files. */
async function computeFundTotals({ store }: AdapterDestination): Promise<FundTotals> {
  const totals = new FundTotals()
  for await (const chunk of walkDocuments(store, applications.name, maxChunkGrants)) {
    for (const { document } of chunk) totals.add(JSON.parse(document))
  }
  return totals
}

/** Yields rows with the totals of stored funds, because a grant may have moved to another fund. */
async function* listFundTotals(
  { store }: AdapterDestination,
  totals: FundTotals,
): AsyncGenerator<ImportRow[]> {
  for await (const chunk of walkDocuments(store, funds.name, maxChunkGrants)) {
    const published = chunk.filter(({ document }) => {
      const { external }: RecordValues<typeof fundRecord> = JSON.parse(document)
      return external.source === publisher
    })
    yield published.map(({ id }) =>
      toGrantRow(0, id, { fundId: id, financials: totals.get(id).financials }),
    )
  }
}
