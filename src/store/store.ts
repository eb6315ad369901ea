import { sql } from 'drizzle-orm'
import { hasPermissions, type Requirement } from '../access/credential.ts'
import { ApiError } from '../model/api-error.ts'
import { isSameJson } from '../model/json.ts'
import { type Kind, kinds } from '../model/properties/schema.ts'
import { withTimeout } from '../platform/timeout.ts'
import { actorOf, auditStatement } from './audit-log.ts'
import { accessChanged } from './connection.ts'
import { similarValues } from './read/similar-values.ts'
import { emptySingle, type Single, type SingleQuery, singleStatement } from './read/single.ts'
import { type UniqueValue, uniqueValueOwners } from './read/unique-values.ts'
import { Reader } from './reader.ts'
import { recordImport } from './settings/imports.ts'
import { statement } from './statement.ts'
import {
  buildReadBeforeWrite,
  parseStateBeforeWrite,
  type ReadBeforeWrite,
  type StateBeforeWrite,
} from './write/before-write.ts'
import {
  type Deletion,
  type DeletionResult,
  deleteStatements,
  parseDeletionResult,
} from './write/delete.ts'
import {
  type Erasable,
  type Erasure,
  erasableHead,
  erasableOf,
  referencesTo,
} from './write/erasable.ts'
import { type Erased, erasedOf, eraseStatements } from './write/erase.ts'
import { candidates, type EraseStep, stepOf } from './write/erase-step.ts'
import {
  type Answering,
  type Audience,
  answeringIn,
  answeringOf,
  linkedResponses,
} from './write/people.ts'
import type { NewDocument } from './write/put.ts'
import { parseWriteResult, type Write, type WriteResult, writeStatements } from './write/write.ts'

export class Store extends Reader {
  /** The kinds of forms that the organisation does not have. */
  readonly #formless = new Set<string>()

  /**
   * Returns the state before a write, unredacted: the schema of a kind, the stored response to the
   * request, and the stored records with those ids. Throws 403 without the permissions.
   */
  async readBeforeWrite(written: ReadBeforeWrite): Promise<StateBeforeWrite> {
    const { head, body } = buildReadBeforeWrite(this.organisationId, written)
    return parseStateBeforeWrite(await this.read(head, body, written))
  }

  /** Writes records in one transaction, all or none: nothing is written if the result has a conflict. Returns the result and the requested related data. */
  async write(write: Write, sought?: SingleQuery): Promise<{ found: WriteResult; single: Single }> {
    const { view } = this
    const asked = sought && singleStatement(this.organisationId, sought)
    const [row, last] = await this.transact(write, [
      ...writeStatements(this.d1, this.credential, write),
      ...(asked ? [statement(this.d1, asked.query)] : []),
    ])
    // The records were built under the earlier restrictions, so they are not written.
    if (this.view !== view) throw accessChanged()
    return {
      found: parseWriteResult(row),
      single: asked ? this.seen(asked.read(last), sought) : emptySingle,
    }
  }

  /** Returns the records of a collection with one of these values. Requires `write`. */
  async uniqueValueOwners(
    collection: string,
    values: readonly UniqueValue[],
  ): Promise<(UniqueValue & { id: string })[]> {
    const scope = { organisationId: this.organisationId, collection }
    const body = { columns: ['id', 'field', 'value'], rows: uniqueValueOwners(scope, values) }
    const { rows } = await this.read({}, body, { rights: ['write'], collection })
    return rows.map(({ id, field, value }) => ({
      id: String(id),
      field: String(field),
      value: String(value),
    }))
  }

  /** Returns the values of fields that may equal one of these texts except for case, spaces and accents, and others that need a closer comparison. Requires `write`. */
  async similarValues(
    collection: string,
    fields: readonly string[],
    texts: readonly string[],
  ): Promise<UniqueValue[]> {
    const scope = { organisationId: this.organisationId, collection }
    const body = { columns: ['field', 'value'], rows: similarValues(scope, fields, texts) }
    const { rows } = await this.read({}, body, { rights: ['write'], collection })
    return rows.map(({ field, value }) => ({ field: String(field), value: String(value) }))
  }

  /** Returns the responses to schema forms linked to these people, each with the person's id; undefined if there are no such forms. Requires `write`. */
  async answers(
    audience: Audience,
    ids: readonly string[],
  ): Promise<{ id: string; document: string }[] | undefined> {
    if (this.#formless.has(audience.formFor)) return undefined
    const asked = linkedResponses(this.organisationId, audience, ids)
    const { head, rows } = await this.read(asked.head, asked.body, { rights: ['write'] })
    // The lookup happens once for all parts of a file, because D1 limits the statements of
    // a request.
    if (head.forms === 0) {
      this.#formless.add(audience.formFor)
      return undefined
    }
    return rows.map(({ id, document }) => ({ id: String(id), document: String(document) }))
  }

  /** Returns the schema of a kind, and people for `fill`. Requires `write`, but not access to the collection. */
  async answering(kind: Kind, ids: readonly string[]): Promise<Answering> {
    const { head, body } = answeringOf(this.organisationId, kind, ids)
    return answeringIn(await this.read(head, body, { rights: ['write'] }))
  }

  /** Fills people from answers to forms; false if one of them changed meanwhile and nothing was written. Requires `write`. */
  async fill(
    kind: Kind,
    people: Answering['people'],
    filled: readonly NewDocument[],
  ): Promise<boolean> {
    const byId = new Map(people.map((person) => [person.id, person]))
    const put = filled.flatMap(({ id, document }) => {
      const person = byId.get(id)
      const isSame = !person || isSameJson(JSON.parse(document), JSON.parse(person.document))
      return isSame ? [] : [{ id, document, updated: person.updated, version: person.version }]
    })
    if (put.length === 0) return true
    const write: Write = {
      ...{ collection: kind, rights: ['write'], unique: [], named: [] },
      ...{ put: put.map(({ version: _, ...one }) => one), versions: put },
    }
    const statements = writeStatements(this.d1, this.credential, write)
    const [row] = await this.transact({ rights: write.rights }, statements)
    return parseWriteResult(row).changed.length === 0
  }

  /** Records the import of a file; its last chunk passed the check of permissions. */
  recordImport(collection: string, records: number): Promise<void> {
    const { organisationId } = this
    return withTimeout(
      recordImport(this.d1, { organisationId, collection, records }),
      this.timeoutMs,
    )
  }

  /** Returns what the deletion of a record would find, without deleting it. */
  async previewDelete(removal: Omit<Deletion, 'isPublic'>): Promise<DeletionResult> {
    const [asked] = deleteStatements(this.d1, this.credential, { ...removal, isPublic: false })
    const [row] = await this.transact({ rights: ['write'] }, asked ? [asked] : [])
    return parseDeletionResult(row)
  }

  /** Deletes a record in one transaction, unless something prevents it. */
  async delete(removal: Omit<Deletion, 'isPublic'>): Promise<DeletionResult> {
    const { collection, cascade } = removal
    const needed: Requirement = { rights: ['write'], collection }
    for (;;) {
      // A forbidden collection is refused before any change.
      if (this.credential.limits !== null) await this.read({}, undefined, needed)
      const { view } = this
      if (cascade && view.isRestricted) throw cascadeForbidden()
      const isPublic = view.hidesNotes && collection === 'case-notes'
      const [row] = await this.transact(
        needed,
        deleteStatements(this.d1, this.credential, { ...removal, isPublic }),
      )
      if (this.view === view) return parseDeletionResult(row)
    }
  }

  /** Returns the state of a person to erase, and the first step. Throws 403 if the credential may not erase. */
  async previewErase(erasure: Erasure): Promise<Erasable & { first: EraseStep }> {
    const { kind, id } = erasure
    const naming = referencesTo(kind)
    const needed = { rights: ['write' as const], collection: kind }
    const body = candidates(this.organisationId, naming, id)
    const { head, rows } = await this.read(erasableHead(this.credential, erasure), body, needed)
    return { ...this.#demandErasable(erasableOf(head)), first: stepOf(rows, naming) }
  }

  /** Runs one step of an erasure in one transaction. */
  async erase(erasure: Erasure, step: EraseStep): Promise<Erased> {
    const { view } = this
    const { kind } = erasure
    const [row, last] = await this.transact(
      { rights: ['write'], collection: kind },
      eraseStatements(this.d1, this.credential, erasure, step),
    )
    if (this.view !== view) throw accessChanged()
    return this.#demandErasable(erasedOf(row, last, kind, step))
  }

  #demandErasable<Found>(found: Found | undefined): Found {
    if (this.view.isRestricted)
      throw new ApiError(
        'FORBIDDEN',
        'Some of the records to erase are hidden from these credentials.',
      )
    if (found) return found
    throw new ApiError('FORBIDDEN', 'Only administrators of the organisation erase people.')
  }

  /** Adds the export of a person's data to the audit log; returns the organisation's name. */
  async recordExport(kind: Kind, id: string): Promise<string> {
    const { organisationId, author, rights } = this.credential
    const [{ name }] = await this.transact({ rights: ['read'], collection: kind }, [
      statement(
        this.d1,
        sql`SELECT ${rights} AS rights, (SELECT name FROM organisations WHERE id = ${organisationId}) AS name`,
      ),
      auditStatement(
        this.d1,
        {
          ...{ organisationId, actor: actorOf(author) },
          ...{ act: `exported ${kinds[kind].singular}`, target: id },
        },
        hasPermissions(this.credential, ['read']),
      ),
    ])
    return String(name)
  }
}

const cascadeForbidden = () =>
  new ApiError(
    'FORBIDDEN',
    '$cascade: these credentials do not see all records to delete or change.',
  )
