import { Command, Option } from 'commander'
import { CommandError } from '../terminal/report.ts'
import { deploy, planDeployment } from './deploy.ts'
import { checkRegion, jurisdictionChoices, locationChoices, type Region } from './region.ts'

/** The command that deploys an environment (`npm run deploy --`). */
export const deployProgram = (): Command =>
  new Command('npm run deploy --')
    .description(
      'Create missing resources of an environment, migrate its databases, and deploy the Worker.',
    )
    .requiredOption('--env <name>', 'an environment of wrangler.toml')
    .addOption(
      new Option('--jurisdiction <name>', 'where to keep what this run creates')
        .choices(jurisdictionChoices)
        .default('eu'),
    )
    .addOption(
      new Option(
        '--location <name>',
        'near which place to create databases; needs --jurisdiction none',
      ).choices(locationChoices),
    )
    .option('--dry-run', 'list the steps and build the Worker, without an account')
    .action(async ({ env, dryRun, ...region }: Region & { env: string; dryRun?: boolean }) => {
      try {
        checkRegion(region)
        await (dryRun ? planDeployment(env, region) : deploy(env, region))
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        console.error(error.message)
        process.exitCode = 1
      }
    })
