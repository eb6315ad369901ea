import type * as z from 'zod'
import { recordRules } from '../../records/record-rules.ts'
import type { Rules } from '../../records/rules.ts'
import type { WriteParts } from '../../records/write.ts'
import { collection as disbursements } from '../../resources/disbursements.ts'
import { type buildFund, collection as funds } from '../../resources/funds.ts'
import { collection as applications } from '../../resources/grant-applications.ts'
import { type ImportCounts, RunningImport } from '../../store/imports/running-import.ts'
import { readChunks } from '../../store/read/chunks.ts'
import type { ImportRow } from '../candidates/import-row.ts'
import {
  addFieldError,
  listErrors,
  readStored,
  toInvalidRow,
  toRow,
} from '../candidates/partial-rows.ts'
import { UniqueInChunks } from '../candidates/unique-values.ts'
import { createDestination, type RecordDestination } from '../destination/destination.ts'
import { ImportPass } from '../import-pass.ts'
import { ErrorCollector, type ErrorGroup, groupErrors } from '../report/error-groups.ts'
import { readJsonElements } from '../rows/json-elements.ts'
import type { ParsedRecord, Source } from '../source/source.ts'
import {
  ImportInterruptedError,
  parseRecord,
  readUtf8,
  UnreadableFileError,
  unreadable,
} from '../source/source.ts'
import { FundTotals } from './fund-totals.ts'
import { source as publisher } from './published-grant.ts'
import {
  createGrantConverter,
  type GrantRecords,
  publishedApplicationRules,
} from './three-sixty-giving.ts'

/** The number of records from the valid grants of a file, and the errors of the others. */
type GrantsResult = {
  applications: number
  funds: number
  disbursements: number
  errors: ErrorGroup[]
}

/** The organisation that receives the grants, and its databases. */
type GrantsDestination = WriteParts & { db: D1Database; organisationId: string }

const maxChunkGrants = 250

/** Imports a file in the 360Giving Data Standard; skips and reports invalid grants, because only the publisher can correct them. Throws ImportInterruptedError if a write fails. */
export async function importGrants(
  source: Source,
  destination: GrantsDestination,
): Promise<GrantsResult> {
  const { grants, errors } = await checkGrants(source)
  if (errors.length > 0) return { applications: 0, funds: 0, disbursements: 0, errors }
  const grantsImport = new GrantsImport(destination, source.name.replace(/^.*[/\\]/, ''))
  try {
    return await grantsImport.write(source)
  } catch (error) {
    await grantsImport.settle()
    throw new ImportInterruptedError(source.name, grantsImport.applications, grants, error)
  }
}

/** The number of grants in a file, or the error that makes it unreadable. A check before the import prevents a partial import of a truncated file. */
export async function checkGrants(
  source: Source,
): Promise<{ grants: number; errors: ErrorGroup[] }> {
  let grants = 0
  try {
    for await (const _ of readJsonElements(readUtf8(source), 'grants')) grants++
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    return { grants, errors: groupErrors([{ line: error.line, ...unreadable(error.message) }]) }
  }
  return { grants, errors: [] }
}

/** Imports each grant as rows of several collections, with one pass per collection. */
class GrantsImport {
  readonly #destination: GrantsDestination
  readonly #run: RunningImport
  readonly #errors = new ErrorCollector()
  readonly #applications: CollectionImport
  readonly #disbursements: CollectionImport

  constructor(destination: GrantsDestination, file: string) {
    const { organisationId } = destination
    this.#destination = destination
    this.#run = new RunningImport(destination.store, {
      collection: applications.name,
      file,
      through: 'import',
    })
    this.#applications = this.#startImport(publishedApplicationRules(organisationId))
    this.#disbursements = this.#startImport(recordRules(disbursements, organisationId))
  }

  /** The number of written and unchanged applications. */
  get applications(): number {
    return this.#applications.pass.result.doneRecords
  }

  async settle(): Promise<void> {
    await Promise.all([this.#applications.pass.settle(), this.#disbursements.pass.settle()])
  }

  async write(source: Source): Promise<GrantsResult> {
    const converter = createGrantConverter(this.#destination.organisationId)
    let chunk: Grant[] = []
    for await (const { line, text } of readJsonElements(readUtf8(source), 'grants')) {
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
    const counts = imports.map(({ pass }) => pass.result.allCounts)
    const sum = (name: keyof ImportCounts) =>
      counts.reduce((total, { [name]: count }) => total + count, 0)
    await this.#run.finish({
      created: sum('created'),
      updated: sum('updated'),
      unchanged: sum('unchanged'),
      rejected: sum('rejected'),
    })
    const [applied, funded, disbursed] = imports.map(({ pass }) => pass.result.validRows)
    return {
      applications: applied ?? 0,
      funds: funded ?? 0,
      disbursements: disbursed ?? 0,
      errors: this.#errors.groups,
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

/** The import of one collection. Skips invalid records. */
class CollectionImport {
  readonly pass: ImportPass<ImportRow>
  readonly #destination: RecordDestination
  readonly #collection: string

  constructor(
    rules: Rules,
    destination: GrantsDestination & { run: RunningImport },
    errors: ErrorCollector,
  ) {
    this.#collection = rules.collection
    this.#destination = createDestination(destination, rules.collection, destination.run)
    this.pass = new ImportPass(rules, this.#destination, 'write', {
      unique: new UniqueInChunks(this.#destination, rules),
      addError: addFieldError,
      check: () => {},
      reject(row) {
        for (const error of listErrors(row)) errors.add(error)
      },
    })
  }

  /** Writes rows and waits for the write to finish. */
  async write(rows: readonly ImportRow[]): Promise<void> {
    await readStored(this.#destination, this.#collection, rows)
    await this.pass.importChunk(rows)
    await this.pass.awaitWrite()
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
async function computeFundTotals({ db, organisationId }: GrantsDestination): Promise<FundTotals> {
  const totals = new FundTotals()
  for await (const chunk of readChunks(db, organisationId, applications.name, maxChunkGrants)) {
    for (const { document } of chunk) totals.add(JSON.parse(document))
  }
  return totals
}

/** Yields rows with the totals of stored funds, because a grant may have moved to another fund. */
async function* listFundTotals(
  { db, organisationId }: GrantsDestination,
  totals: FundTotals,
): AsyncGenerator<ImportRow[]> {
  for await (const chunk of readChunks(db, organisationId, funds.name, maxChunkGrants)) {
    const published = chunk.filter(({ document }) => {
      const { external }: z.output<ReturnType<typeof buildFund>> = JSON.parse(document)
      return external.source === publisher
    })
    yield published.map(({ id }) =>
      toGrantRow(0, id, { fundId: id, financials: totals.get(id).financials }),
    )
  }
}
