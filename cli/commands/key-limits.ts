import { type Command, InvalidArgumentError } from 'commander'
import { faultsOfLimits } from '../../src/limits/faults.ts'
import type { Limits } from '../../src/limits/limits.ts'
import { sentence } from '../../src/model/checked.ts'
import { faultOfRights, rights } from '../../src/model/rights.ts'
import { structuredCollections } from '../../src/resources/collections.ts'
import { schemasOf } from '../../src/store/schemas.ts'
import { Refusal } from '../terminal/refusal.ts'

/** What is said of a key's rights on the command line; what is not said is undefined. */
export type SaidOfKey = {
  may?: string[]
  collections?: string[]
  privateNotes?: boolean
  from?: string[]
  without?: string[]
}

const lifting = { collections: 'all', from: 'anywhere', without: 'nothing' } as const

/** The options for what a key may do and is held to. */
export const withKeyRights = (command: Command) =>
  command
    .option('--may <rights>', `what it may do, of ${rights.join(', ')}`, rightsOf)
    .option('--collections <names>', 'the only collections there are for it, or all', names)
    .option('--private-notes', 'private case notes are there for it, as they are unless told')
    .option('--no-private-notes', 'private case notes are not there for it')
    .option('--from <networks>', 'the only addresses or networks it works from, or anywhere', names)
    .option('--without <fields>', 'what is kept from it: kinds, ids and paths, or nothing', names)

/** The limits that are said, in place of those a key had. */
export function limitsSaid(
  { collections, privateNotes, from, without }: SaidOfKey,
  had: Limits = {},
): Limits {
  const said = { collections, from, without }
  const named = Object.entries(said).map(([name, value]) => {
    const [only, ...others] = value ?? []
    const isLifted = only === lifting[name as keyof typeof lifting] && others.length === 0
    return [
      name,
      value === undefined ? had[name as keyof typeof said] : isLifted ? undefined : value,
    ]
  })
  const notes = privateNotes === undefined ? had.privateNotes : privateNotes ? undefined : false
  return { ...Object.fromEntries(named), privateNotes: notes }
}

/** Refuses limits that name what an organisation does not have. */
export async function demandLimits(
  db: D1Database,
  organisationId: string,
  limits: Limits,
): Promise<void> {
  const [collections, schemas] = await Promise.all([
    structuredCollections(),
    schemasOf(db, organisationId),
  ])
  const faults = faultsOfLimits(limits, { collections, schemas })
  if (faults.length > 0)
    throw new Refusal(sentence(faults.map((fault) => ({ ...fault, field: `--${fault.field}` }))))
}

function rightsOf(text: string): string[] {
  const given = names(text)
  const fault = faultOfRights(given)
  if (fault) throw new InvalidArgumentError(`It ${fault}`)
  return given
}

const names = (text: string, before: string[] = []): string[] => [
  ...before,
  ...text.split(',').map((name) => name.trim()),
]
