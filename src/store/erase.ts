import { type SQL, sql } from 'drizzle-orm'
import { type Reference, references } from '../model/references.ts'
import { type Kind, kinds } from '../model/schema.ts'
import { actorOf, auditStatement } from './audit.ts'
import { type Credential, hasRights } from './credential.ts'
import { isFollowed } from './followed.ts'
import { headAndRows, type Row } from './head-and-rows.ts'
import { holderCount, holdersOf, isOf, rewriting, without } from './remove.ts'
import { statement } from './statement.ts'

/*
 * What is removed of a person (additions 5). Their record goes, with its history and all that the index
 * has of it; the deletion's row keeps its id and the time. What receivers of webhooks answered to messages
 * about it, or about a record that names them, is emptied. The records that name them, by collection:
 */
const ofThoseThatNameThem: Readonly<Record<string, Fate>> = {
  // A booking is counted for its event, so it stays; what tells whose it was is emptied.
  bookings: {
    emptied: {
      ...{ memberId: '', user: '', userEmail: '', userName: '', booker: '' },
      ...{ funderMemberId: null, orderId: null },
    },
  },
  // Theirs alone go; those of several people stay without the link.
  'survey-responses': 'goes',
  'case-notes': 'goes',
}

type Fate = 'goes' | { emptied: Readonly<Record<string, string | null>> }

/** A person to be erased: if of one of some versions. */
export type Erasure = { kind: Kind; id: string; versions?: readonly number[] | undefined }

/** What there is of a person to erase. */
export type Erasable = {
  /** The record's version, and when it was created; null where there is none. */
  version: number | null
  created: string | null
  /** How many records of each collection name them. */
  namedBy: [collection: string, count: number][]
  /** Those that are of others too, and stay without the link: as many as one step changes. */
  shared: [collection: string, id: string][]
}

/** How many records of a collection one step changes at most, while others wait. */
const stepRecords = 500

/** SQL for what there is to erase, and for whether the credential may. */
export function erasableHead(credential: Credential, { kind, id }: Erasure): Record<string, SQL> {
  const { organisationId } = credential
  const naming = referencesTo(kind)
  const counts = naming.map(
    (reference) =>
      sql`json_array(${reference.from}, (${holderCount(organisationId, reference, id)}))`,
  )
  const shared = naming
    .filter(isGoing)
    .map((reference) =>
      ofSeveral(organisationId, reference, id, sql`records.collection, records.id`),
    )
  const root = rootOf(credential, kind, id)
  return {
    may: credential.administers ?? sql`true`,
    version: sql`(SELECT version FROM records WHERE ${root})`,
    created: sql`(SELECT created FROM records WHERE ${root})`,
    named_by: sql`json_array(${sql.join(counts, sql`, `)})`,
    shared: sql`(SELECT json_group_array(json_array(collection, id)) FROM (${sql.join(
      shared.map((one) => sql`SELECT * FROM (${one})`),
      sql` UNION ALL `,
    )}))`,
  }
}

/** What such a head says; undefined where the credential may not erase. */
export function erasableOf(row: Row): Erasable | undefined {
  if (row.may !== 1) return undefined
  const counts: Erasable['namedBy'] = JSON.parse(String(row.named_by))
  return {
    version: row.version === null ? null : Number(row.version),
    created: row.created === null ? null : String(row.created),
    namedBy: counts.filter(([, count]) => count > 0),
    shared: JSON.parse(String(row.shared)),
  }
}

/**
 * The statements of a step, for one batch. The first gives a row of rights and of what there was, the
 * last whether anything is `left` for a further step. Whoever has up to 500 records in each collection
 * is gone after one; the person's own record goes last, so that what was broken off is found again.
 */
export function eraseStatements(
  d1: D1Database,
  credential: Credential,
  erasure: Erasure,
): D1PreparedStatement[] {
  const { organisationId } = credential
  const { kind, id, versions } = erasure
  const naming = referencesTo(kind)
  const root = rootOf(credential, kind, id)
  const head = {
    rights: credential.rights,
    followed: isFollowed(organisationId),
    ...erasableHead(credential, erasure),
  }
  const condition = all([
    hasRights(credential, ['write']),
    credential.administers ?? sql`true`,
    isOf(versions, root),
  ])
  const holders = naming.map((reference) => holdersOf(organisationId, reference, id))
  const isLeft = any([sql`SELECT 1 FROM records WHERE ${root}`, ...holders].map(exists))
  const isLastStep = all(
    naming.map(
      (reference) => sql`(${holderCount(organisationId, reference, id)}) <= ${stepRecords}`,
    ),
  )
  const about = sql.join(
    [sql`SELECT ${kind}, ${id}`, ...holders.map((rows) => keysOf(rows))],
    sql` UNION ALL `,
  )
  return [
    statement(d1, headAndRows(head).query),
    auditStatement(
      d1,
      {
        organisationId,
        actor: actorOf(credential.author),
        act: `erased ${kinds[kind].singular}`,
        target: id,
      },
      all([condition, isLastStep, isLeft]),
    ),
    statement(
      d1,
      sql`UPDATE webhook_attempts SET answer = ''
        WHERE answer <> '' AND webhook_id IN (
          SELECT id FROM webhooks WHERE organisation_id = ${organisationId}
        ) AND (collection, record_id) IN (${about}) AND ${condition}`,
    ),
    ...naming.flatMap((reference) =>
      changing(credential, reference, id, condition).map((query) => statement(d1, query)),
    ),
    ...erasing(
      credential,
      sql`SELECT row FROM records WHERE ${root}`,
      all([condition, sql`NOT ${any(holders.map(exists))}`]),
      // There may be no record any more, and its history still.
      sql`SELECT ${kind}, ${id}`,
    ).map((query) => statement(d1, query)),
    statement(d1, sql`SELECT ${isLeft} AS "left"`),
  ]
}

/** What becomes of the records that name the person by a reference, as SQL. */
function changing(credential: Credential, reference: Reference, id: string, condition: SQL): SQL[] {
  const { organisationId } = credential
  const fate = fateOf(reference)
  if (fate !== 'goes') {
    const values = Object.entries(fate.emptied).map(
      ([name, value]) => sql`${`$.${name}`}, ${value}`,
    )
    const emptied = sql`json_set(records.document, ${sql.join(values, sql`, `)})`
    const rows = sql`${holdersOf(organisationId, reference, id)} ORDER BY 1 ${atMost}`
    return [rewriting(credential, rows, emptied, condition)]
  }
  const theirs = sql`SELECT row FROM records
    WHERE row IN (${holdersOf(organisationId, reference, id)})
      AND NOT ${isOfSeveral(reference, id)} ORDER BY 1 ${atMost}`
  return [
    ...erasing(credential, theirs, condition),
    rewriting(
      credential,
      ofSeveral(organisationId, reference, id, sql`records.row`),
      without(reference, id),
      condition,
    ),
  ]
}

/** SQL that deletes records of these rows with their history. They are marked first, so that the trigger `history_of_deleted` notes nothing of them. */
const erasing = (
  { organisationId }: Credential,
  rows: SQL,
  condition: SQL,
  keys = keysOf(rows),
): SQL[] => [
  sql`DELETE FROM history
    WHERE organisation_id = ${organisationId} AND (collection, id) IN (${keys}) AND ${condition}`,
  sql`UPDATE records SET changed_by = 'erased' WHERE row IN (${rows}) AND ${condition}`,
  sql`DELETE FROM records WHERE row IN (${rows}) AND ${condition}`,
]

const atMost = sql.raw(`LIMIT ${stepRecords}`)

/** SQL for the records that name the person by a reference, and others too. */
const ofSeveral = (organisationId: string, reference: Reference, id: string, columns: SQL) =>
  sql`SELECT ${columns} FROM records
    WHERE records.row IN (${holdersOf(organisationId, reference, id)})
      AND ${isOfSeveral(reference, id)} ORDER BY records.row ${atMost}`

/** SQL for whether a record is linked to anybody else. */
const isOfSeveral = ({ path }: Reference, id: string) => {
  const [links] = path.split('.')
  return sql`EXISTS (
    SELECT 1 FROM json_tree(records.document, ${`$.${links}`}) AS link
    WHERE link.type = 'text' AND link.atom <> ''
      AND NOT (link.path = ${`$.${path}`} AND link.atom = ${id})
  )`
}

const referencesTo = (kind: Kind) => references.filter(({ to }) => to === kind)

const isGoing = (reference: Reference) => fateOf(reference) === 'goes'

/** What becomes of the records that name a person by a reference; throws where nobody has decided. */
export function fateOf({ from }: Reference): Fate {
  const fate = ofThoseThatNameThem[from]
  if (fate === undefined) throw new Error(`What becomes of ${from} is not said.`)
  return fate
}

const rootOf = ({ organisationId }: Credential, kind: Kind, id: string) =>
  sql`collection = ${kind} AND id = ${id} AND organisation_id = ${organisationId}`

const keysOf = (rows: SQL) => sql`SELECT collection, id FROM records WHERE row IN (${rows})`

const exists = (query: SQL) => sql`EXISTS (${query})`

const all = (conditions: readonly SQL[]) => sql`(${sql.join([...conditions], sql` AND `)})`

const any = (conditions: readonly SQL[]) => sql`(${sql.join([...conditions], sql` OR `)})`
