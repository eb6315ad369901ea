import type { Command } from 'commander'
import { erasePerson, previewPersonErasure, replayErasures } from '../../src/admin/erase-person.ts'
import { exportPersonalData } from '../../src/admin/export-person.ts'
import { isKind, type Kind, kindNames, kinds } from '../../src/model/properties/schema.ts'
import type { SharedRecord } from '../../src/records/erase.ts'
import { CommandError } from '../terminal/report.ts'
import { databaseAction } from './action.ts'
import { requireOrganisation } from './organisations.ts'
import { requireNewFile, writePersonalData } from './person-file.ts'

const kindList = kindNames.join(', ')

/** `person export` and `person erase`, for requests under data protection law, and `erase replay`. */
export function personCommands(program: Command): void {
  const person = program
    .command('person')
    .description('Export or erase the data of a person on request.')
  person
    .command('export <organisation> <collection> <id>')
    .description(`Write all data of a person (${kindList}) to a zip or JSON file.`)
    .requiredOption('--out <file>', 'a new file ending in .zip or .json')
    .action(
      databaseAction<{ out: string }>(
        async ({ DB }, [organisationId = '', name = '', id = ''], { out }) => {
          const kind = parseKind(name)
          requireNewFile(out)
          await requireOrganisation(DB, organisationId)
          const personalData = await exportPersonalData(DB, organisationId, kind, id)
          await writePersonalData(personalData, out)
          const { shared } = personalData
          return {
            json: { organisationId, collection: kind, id, file: out, shared },
            lines: [
              `${out}: everything of the ${kinds[kind].singular} ${id}.`,
              ...formatShared(shared, 'Of others too; read these before you hand it over'),
            ],
          }
        },
      ),
    )
  person
    .command('erase <organisation> <collection> <id>')
    .description(`Erase a person (${kindList}) and all their data for good.`)
    .option('--yes', 'erase them; otherwise only list their data')
    .action(
      databaseAction<{ yes?: true }>(
        async (bindings, [organisationId = '', name = '', id = ''], { yes }) => {
          const kind = parseKind(name)
          const { singular, id: idName } = kinds[kind]
          await requireOrganisation(bindings.DB, organisationId)
          const effect = await previewPersonErasure(bindings, { organisationId, kind, id })
          if (!effect) throw new CommandError(`There is no ${singular} with this ${idName}.`)
          if (!yes) {
            const counts = effect.namedBy.map(([of, count]) => `${of} ${count}`)
            throw new CommandError(
              `The ${singular} ${id} is referenced by ${counts.join(', ') || 'nothing'}. Add --yes to erase them for good.`,
            )
          }
          const result = await erasePerson(bindings, { organisationId, kind, id })
          return {
            json: { organisationId, collection: kind, id, ...result },
            lines: [
              `${id} erased.`,
              ...formatShared(
                result.shared,
                'Of others too, so kept without the link; read what they say',
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
        for await (const replayed of replayErasures(bindings, organisation, later)) {
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

const formatShared = (shared: readonly SharedRecord[], why: string) =>
  shared.length > 0
    ? [`${why}: ${shared.map(({ collection, id }) => `${collection} ${id}`).join(', ')}.`]
    : []
