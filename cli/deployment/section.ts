import type { Unstable_RawConfig } from 'wrangler'

/**
 * The environment for trying the service out, which Cloudflare's deploy button deploys: the top of wrangler.toml,
 * where the button writes the ids of the storage it has created, with the differences in `[env.trial]`.
 */
export const trialEnvironment = 'trial'

export type RawEnvironment = NonNullable<Unstable_RawConfig['env']>[string]

/**
 * A section of wrangler.toml, or undefined without one. An environment inherits no bindings, except that a trial has
 * those at the top of the file.
 */
export function readSection(
  { env = {}, ...top }: Unstable_RawConfig,
  name: string,
): RawEnvironment | undefined {
  const sections: Record<string, RawEnvironment> = env
  const section = Object.hasOwn(sections, name) ? sections[name] : undefined
  return section && name === trialEnvironment ? { ...top, ...section } : section
}

/** The name of an environment's Worker. The person who uses the deploy button chooses the name of a trial. */
export const workerName = ({ name }: Unstable_RawConfig, environment: string) =>
  environment === trialEnvironment ? String(name) : `${name}-${environment}`
