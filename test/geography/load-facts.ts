import { env } from 'cloudflare:workers'
import { Generation } from '../../cli/geography/generation.ts'
import { Numbering } from '../../cli/geography/numbering.ts'
import { areas } from '../../src/geography/areas.ts'
import { type Fact, facts } from './facts.ts'

/** Replaces the current directory by these facts. */
export async function loadFacts(
  edition: string,
  loaded: readonly Fact[] = facts,
  geography = env.GEOGRAPHY,
): Promise<void> {
  const names = areas.map(({ key }) => {
    return new Map(loaded.flatMap(({ areas }) => (areas[key]?.[1] ? [areas[key]] : [])))
  })
  const generation = await Generation.start(geography, edition, false)
  const numbering = new Numbering(names, generation)
  for (const { postcode, areas: known } of loaded) {
    const codes = areas.map(({ key }) => known[key]?.[0] ?? '')
    generation.add('postcodes', [postcode.replace(' ', ''), numbering.combination(codes)])
  }
  await generation.write()
  await generation.serve({
    rows: loaded.length,
    northernIrelandLeftOut: 0,
    live: 0,
    liveWithWard: 0,
    liveWithLad: 0,
    codes: numbering.codes(),
  })
}
