import type { Command } from 'commander'
import { erasePerson, previewErasure, replayErasures } from '../../src/admin/erase-person.ts'
import { exportPersonalData } from '../../src/admin/export-person.ts'
import { isKind, type Kind, kindNames, kinds } from '../../src/model/schema.ts'
import type { SharedRecord } from '../../src/records/erase.ts'
import { CommandError } from '../terminal/refusal.ts'
import { databaseAction } from './action.ts'
import { requireOrganisation } from './organisations.ts'
import { requireNewFile, writePersonalData } from './person-file.ts'

const kindList = kindNames.join(', ')

/** `person export` and `person erase`: what is done when somebody asks for what is kept of them; and `erase replay`. */
export function personCommands(program: Command): void {
  const person = program.command('person').description('What is kept of a person, on request.')
  person
    .command('export <organisation> <collection> <id>')
    .description(`Write all that is kept of a person, of ${kindList}, to a zip or to JSON.`)
    .requiredOption('--out <file>', 'the file to write, new, ending in .zip or .json')
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
    .description(`Erase a person, of ${kindList}, with all that is kept of them, for good.`)
    .option('--yes', 'do it; without this, only tell what would be erased')
    .action(
      databaseAction<{ yes?: true }>(
        async (bindings, [organisationId = '', name = '', id = ''], { yes }) => {
          const kind = parseKind(name)
          const { singular, id: idName } = kinds[kind]
          await requireOrganisation(bindings.DB, organisationId)
          const effect = await previewErasure(bindings, { organisationId, kind, id })
          if (!effect) throw new CommandError(`There is no ${singular} with this ${idName}.`)
          if (!yes) {
            const counts = effect.namedBy.map(([of, count]) => `${of} ${count}`)
            throw new CommandError(
              `The ${singular} ${id} is named by ${counts.join(', ') || 'nothing'}. Say --yes to erase them for good.`,
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
    .description('The ledger of who was erased.')
    .command('replay [organisation]')
    .description('After a restore, erase again whom it brought back.')
    .option('--later', 'also those who were created after they were erased')
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
            `${counts.erased} erased again, ${counts.nothing} were not there.`,
            ...(counts.left > 0 ? [`${counts.left} left: say --later to erase these too.`] : []),
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
