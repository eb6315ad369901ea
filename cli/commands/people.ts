import type { Command } from 'commander'
import { erasePerson, previewPersonErasure, replayErasures } from '../../src/admin/erase-person.ts'
import { exportPersonalData } from '../../src/admin/export-person.ts'
import { mergePeopleAsOperator } from '../../src/admin/merge-people.ts'
import { formatRecordCount } from '../../src/model/collection.ts'
import { isObject } from '../../src/model/json.ts'
import { isKind, type Kind, kindNames, kinds } from '../../src/model/properties/schema.ts'
import type { SharedRecord } from '../../src/records/erase.ts'
import { countMatched, type MatchedRecord } from '../../src/store/write/person-links.ts'
import { CommandError } from '../terminal/report.ts'
import { databaseAction, organisationAction } from './action.ts'
import { requireNewFile, writePersonalData } from './person-file.ts'

const kindList = kindNames.join(', ')

/** `person export`, `person merge` and `person erase`, and `erase replay`. */
export function personCommands(program: Command): void {
  const person = program.command('person').description('Export, merge or erase people.')
  person
    .command('export <organisation> <collection> <id>')
    .description(`Write all data of a person (${kindList}) to a zip or JSON file.`)
    .requiredOption('--out <file>', 'a new file ending in .zip or .json')
    .action(
      organisationAction<{ out: string }>(
        async ({ DB }, [organisationId = '', name = '', id = ''], { out }) => {
          const kind = parseKind(name)
          requireNewFile(out)
          const personalData = await exportPersonalData(DB, organisationId, kind, id)
          await writePersonalData(personalData, out)
          const { shared } = personalData
          return {
            json: { organisationId, collection: kind, id, file: out, shared },
            lines: [
              `${out}: everything of the ${kinds[kind].singular} ${id}.`,
              ...formatShared(
                shared,
                'These concern other people too; check them before you hand it over',
              ),
            ],
          }
        },
      ),
    )
  person
    .command('merge <organisation> <collection> <id> <from>')
    .description(`Merge the person <from> into <id> (${kindList}) and delete <from>.`)
    .option('--fields <json>', 'the values to choose, by field: {"Phone": "0113 496 0999"}')
    .option('--yes', 'merge them; otherwise only list the records that would move')
    .action(
      organisationAction<{ fields?: string; yes?: true }>(
        async (bindings, [organisationId = '', name = '', id = '', from = ''], { fields, yes }) => {
          const kind = parseKind(name)
          const { singular } = kinds[kind]
          const chosen = parseFields(fields)
          if (!yes) {
            const effect = await previewPersonErasure(bindings, { organisationId, kind, id: from })
            throw new CommandError(
              `${describeReferrers(effect?.namedBy ?? [], `the ${singular} ${from}`)} Add --yes to merge ${from} into ${id} and delete ${from}.`,
            )
          }
          const person = { organisationId, kind, id }
          const moved = await mergePeopleAsOperator(bindings, person, from, chosen)
          const counts = Object.entries(moved).map(([of, count]) => formatRecordCount(count, of))
          return {
            json: { organisationId, collection: kind, id, from, moved },
            lines: [`${from} merged into ${id}. Moved: ${counts.join(', ') || 'nothing'}.`],
          }
        },
      ),
    )
  person
    .command('erase <organisation> <collection> <id>')
    .description(`Erase a person (${kindList}) and all their data for good.`)
    .option('--yes', 'erase them; otherwise only list their data')
    .action(
      organisationAction<{ yes?: true }>(
        async (bindings, [organisationId = '', name = '', id = ''], { yes }) => {
          const kind = parseKind(name)
          const { singular, id: idName } = kinds[kind]
          const effect = await previewPersonErasure(bindings, { organisationId, kind, id })
          if (!effect) throw new CommandError(`There is no ${singular} with this ${idName}.`)
          if (!yes)
            throw new CommandError(
              `${describeReferrers(effect.namedBy, `the ${singular} ${id}`)}${describeMatched(effect.found.matched)} Add --yes to erase them for good.`,
            )
          const result = await erasePerson(bindings, { organisationId, kind, id })
          return {
            json: { organisationId, collection: kind, id, ...result },
            lines: [
              `${id} erased.`,
              ...formatShared(
                result.shared,
                'These concern other people too, so they stay without the link; check their text',
              ),
            ],
          }
        },
      ),
    )
  program
    .command('erase')
    .description('Replay the erasure ledger.')
    .command('replay [organisation]')
    .description('Erase people again that a restore has brought back.')
    .option('--later', 'also erase people created after their erasure')
    .action(
      databaseAction<{ later?: true }>(async (bindings, [organisation], { later = false }) => {
        const counts = { nothing: 0, erased: 0, left: 0 }
        const lines: string[] = []
        const recreatedFrom = later ? '' : undefined
        for await (const replayed of replayErasures(bindings, organisation, recreatedFrom)) {
          counts[replayed.result]++
          const identity = `${replayed.organisationId}  ${replayed.collection}  ${replayed.id}`
          if (replayed.result === 'erased') lines.push(`${identity}  erased again`)
          if (replayed.result === 'left') lines.push(`${identity}  left: created after the erasure`)
        }
        return {
          json: counts,
          lines: [
            ...lines,
            `${counts.erased} erased again, ${counts.nothing} did not exist.`,
            ...(counts.left > 0 ? [`${counts.left} left: add --later to erase them too.`] : []),
          ],
          done: counts.left === 0,
        }
      }),
    )
}

function parseKind(name: string): Kind {
  if (isKind(name)) return name
  throw new CommandError(`collection: must be one of: ${kindList}.`)
}

function parseFields(json = '{}'): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(json)
    if (isObject(fields)) return fields
  } catch {
    // The error below explains the problem.
  }
  throw new CommandError('--fields: must be a JSON object.')
}

function describeReferrers(
  counts: readonly (readonly [collection: string, count: number])[],
  person: string,
): string {
  const texts = counts.map(([collection, count]) => formatRecordCount(count, collection))
  const verb = counts.length === 1 && counts[0]?.[1] === 1 ? 'refers' : 'refer'
  return `${texts.join(', ') || 'No records'} ${verb} to ${person}.`
}

/** A sentence about the person's own records without a reference; '' without any. */
function describeMatched(matched: readonly MatchedRecord[]): string {
  const own = matched.filter(({ isOwn }) => isOwn)
  if (own.length === 0) return ''
  const texts = countMatched(own).map(([collection, count]) => formatRecordCount(count, collection))
  return ` ${texts.join(', ')} ${own.length === 1 ? 'seems' : 'seem'} to be theirs.`
}

const formatShared = (shared: readonly SharedRecord[], why: string) =>
  shared.length > 0
    ? [`${why}: ${shared.map(({ collection, id }) => `${collection} ${id}`).join(', ')}.`]
    : []
