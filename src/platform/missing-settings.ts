/** A message for each setting that has a value but lacks the setting that it requires. */
export const findMissingSettings = <Name extends string>(
  settings: Partial<Record<Name, string>>,
  requirements: readonly (readonly [name: Name, required: Name])[],
): string[] =>
  requirements
    .filter(([name, required]) => settings[name] && !settings[required])
    .map(([name, required]) => `${name} needs ${required}: set both or neither.`)
