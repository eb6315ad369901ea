import { Command } from 'commander'
import { exportCommand } from './export.ts'
import { geographyCommands } from './geography.ts'
import { historyCommand } from './history.ts'
import { importCommand } from './import.ts'
import { importsCommands } from './imports.ts'
import { schemaCommands } from './infer.ts'
import { keyCommands } from './keys.ts'
import { organisationCommands } from './organisations.ts'
import { personCommands } from './people.ts'
import { eventCommands, publicPagesCommand } from './public-pages.ts'
import { recordCommands } from './records.ts'
import { retentionCommands } from './retention.ts'
import { setUpCodeCommand } from './set-up-code.ts'
import { tokenCommand } from './token.ts'
import { usageCommand } from './usage.ts'
import { userCommands } from './users.ts'
import { webhookCommands } from './webhooks.ts'

/** The operator's command line (`npm run admin --`). */
export function adminProgram(): Command {
  const program = new Command('npm run admin --')
    .description("The operator's command line.")
    .option('--json', 'print one JSON object')
    .option('--persist-to <folder>', 'work on the local state in this folder')
    .option('--remote', 'work on a deployed database')
    .option('--env <name>', 'the environment of wrangler.toml that is deployed')

  setUpCodeCommand(program)
  publicPagesCommand(organisationCommands(program))
  keyCommands(program)
  userCommands(program)
  webhookCommands(program)
  tokenCommand(program)
  importCommand(program)
  importsCommands(program)
  schemaCommands(program)
  exportCommand(program)
  personCommands(program)
  historyCommand(program)
  recordCommands(program)
  usageCommand(program)
  retentionCommands(program)
  eventCommands(program)
  geographyCommands(program)

  return program
}
