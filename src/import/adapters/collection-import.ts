import type { Rules } from '../../records/rules.ts'
import type { RunningImport } from '../../store/imports/running-import.ts'
import type { ImportRow } from '../candidates/import-row.ts'
import { addFieldError, readStored } from '../candidates/partial-rows.ts'
import { UniqueInChunks } from '../candidates/unique-values.ts'
import { createDestination, type RecordDestination } from '../destination/destination.ts'
import { ImportPass } from '../import-rows.ts'
import type { ErrorCollector } from '../report/error-collector.ts'
import type { AdapterDestination } from './adapter.ts'

/** The part of an adapter's import that writes one collection. Skips invalid records, whose errors it collects. */
export class CollectionImport {
  readonly pass: ImportPass<ImportRow>
  readonly #destination: RecordDestination
  readonly #collection: string

  constructor(
    rules: Rules,
    destination: AdapterDestination & { run: RunningImport },
    errors: ErrorCollector,
  ) {
    this.#collection = rules.collection
    this.#destination = createDestination(destination, rules.collection, destination.run)
    const rows = {
      target: rules,
      unique: new UniqueInChunks(this.#destination, rules),
      addError: addFieldError,
      check: () => {},
      reject: (row: ImportRow) => errors.add(row.line, row.errors),
    }
    this.pass = new ImportPass(rows, this.#destination, 'write')
  }

  /** Writes rows and waits for the write to finish. */
  async write(rows: readonly ImportRow[]): Promise<void> {
    await readStored(this.#destination, this.#collection, rows)
    await this.pass.importChunk(rows)
    await this.pass.awaitWrite()
  }
}
