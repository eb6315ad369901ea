import type { Fact } from '../../cli/demo/postcodes.ts'

/** What a record gains from a fact: names and codes, where there is an area. */
export function expectedOf({ areas }: Fact): Record<string, string> {
  const there = Object.entries(areas).filter(([, [code]]) => !/^.99999999$|^E43/.test(code))
  return Object.fromEntries(
    there.flatMap(([key, [code, name]]) => [
      ...(name === '' ? [] : [[key, name]]),
      [`${key}Code`, code],
    ]),
  )
}
