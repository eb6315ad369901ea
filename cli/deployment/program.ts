import { Command, InvalidArgumentError, Option } from 'commander'
import { CommandError } from '../terminal/report.ts'
import { deploy, planDeployment } from './deploy.ts'
import { checkRegion, jurisdictionChoices, locationChoices, type Region } from './region.ts'
import { trialEnvironment } from './section.ts'
import { verifyRelease } from './verify-release.ts'

type DeployOptions = Region & { env: string; dryRun?: boolean; verifyRelease?: string }

/**
 * The command that deploys an environment (`npm run deploy --`). Cloudflare's deploy button runs it without arguments
 * in Workers Builds: for a trial, without a jurisdiction, like the storage that the button has created.
 */
export function deployProgram(): Command {
  const isDeployButton = process.env.WORKERS_CI === '1'
  return new Command('npm run deploy --')
    .description(
      'Create missing resources of an environment, migrate its databases, and deploy the Worker.',
    )
    .addOption(
      new Option('--env <name>', 'an environment of wrangler.toml')
        .default(isDeployButton ? trialEnvironment : undefined)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--jurisdiction <name>', 'where to keep what this run creates')
        .choices(jurisdictionChoices)
        .default(isDeployButton ? 'none' : 'eu'),
    )
    .addOption(
      new Option(
        '--location <name>',
        'near which place to create databases; needs --jurisdiction none',
      ).choices(locationChoices),
    )
    .option(
      '--verify-release <owner/name>',
      'deploy only a release of this GitHub repository',
      parseRepository,
    )
    .option('--dry-run', 'list the steps and build the Worker, without an account')
    .action(async ({ env, dryRun, verifyRelease: repository, ...region }: DeployOptions) => {
      try {
        checkRegion(region)
        if (repository) await verifyRelease(repository)
        await (dryRun ? planDeployment(env, region) : deploy(env, region))
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        console.error(error.message)
        process.exitCode = 1
      }
    })
}

function parseRepository(text: string): string {
  if (/^[\w.-]+\/[\w.-]+$/.test(text)) return text
  throw new InvalidArgumentError('It must be a repository on GitHub, such as owner/name.')
}
