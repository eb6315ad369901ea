import type { Command } from 'commander'
import { isKind, type Kind, kindNames, kinds } from '../../src/model/schema.ts'
import { erasePerson, findErasable, replayErasures } from '../../src/operator/erase.ts'
import { everythingOfPerson } from '../../src/operator/everything.ts'
import type { SharedRecord } from '../../src/records/erasure.ts'
import { Refusal } from '../terminal/refusal.ts'
import { action } from './action.ts'
import { demandOrganisation } from './organisations.ts'
import { demandNewFile, writePerson } from './person-file.ts'

const names = kindNames.join(', ')

/** `person export` and `person erase`: what is done when somebody asks for what is kept of them; and `erase replay`. */
export function personCommands(program: Command): void {
  const person = program.command('person').description('What is kept of a person, on request.')
  person
    .command('export <organisation> <collection> <id>')
    .description(`Write all that is kept of a person, of ${names}, to a zip or to JSON.`)
    .requiredOption('--out <file>', 'the file to write, new, ending in .zip or .json')
    .action(
      action<{ out: string }>(
        async ({ DB }, [organisationId = '', name = '', id = ''], { out }) => {
          const kind = kindOf(name)
          demandNewFile(out)
          await demandOrganisation(DB, organisationId)
          const everything = await everythingOfPerson(DB, organisationId, kind, id)
          await writePerson(everything, out)
          const { shared } = everything
          return {
            json: { organisationId, collection: kind, id, file: out, shared },
            lines: [
              `${out}: everything of the ${kinds[kind].singular} ${id}.`,
              ...readFirst(shared, 'Of others too; read these before you hand it over'),
            ],
          }
        },
      ),
    )
  person
    .command('erase <organisation> <collection> <id>')
    .description(`Erase a person, of ${names}, with all that is kept of them, for good.`)
    .option('--yes', 'do it; without this, only tell what would be erased')
    .action(
      action<{ yes?: true }>(
        async (bindings, [organisationId = '', name = '', id = ''], { yes }) => {
          const kind = kindOf(name)
          const { singular, id: idName } = kinds[kind]
          await demandOrganisation(bindings.DB, organisationId)
          const found = await findErasable(bindings, { organisationId, kind, id })
          if (!found) throw new Refusal(`There is no ${singular} with this ${idName}.`)
          if (!yes) {
            const counts = found.namedBy.map(([of, count]) => `${of} ${count}`)
            throw new Refusal(
              `The ${singular} ${id} is named by ${counts.join(', ') || 'nothing'}. Say --yes to erase them for good.`,
            )
          }
          const became = await erasePerson(bindings, { organisationId, kind, id })
          return {
            json: { organisationId, collection: kind, id, ...became },
            lines: [
              `${id} erased.`,
              ...readFirst(
                became.shared,
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
      action<{ later?: true }>(async (bindings, [organisation], { later = false }) => {
        const counts = { nothing: 0, erased: 0, left: 0 }
        const lines: string[] = []
        for await (const one of replayErasures(bindings, organisation, later)) {
          counts[one.became]++
          const who = `${one.organisationId}  ${one.collection}  ${one.id}`
          if (one.became === 'erased') lines.push(`${who}  erased again`)
          if (one.became === 'left') lines.push(`${who}  left: created after the erasure`)
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

function kindOf(name: string): Kind {
  if (isKind(name)) return name
  throw new Refusal(`collection: must be one of ${names}.`)
}

const readFirst = (shared: readonly SharedRecord[], why: string) =>
  shared.length > 0
    ? [`${why}: ${shared.map(({ collection, id }) => `${collection} ${id}`).join(', ')}.`]
    : []
