import type { Grant } from './grant.ts'
import type { Publishing } from './settings.ts'

/** Yields the text of a 360Giving package (version 1.4) with the grants. `address` is where it can be read. */
export async function* writePackage(
  chunks: AsyncIterable<readonly Grant[]>,
  { organisationName, grants: { funder, licence } }: Publishing,
  address: string,
): AsyncGenerator<string, void> {
  const about = {
    version: '1.4',
    title: `Grants of ${organisationName}`,
    identifier: address,
    publisher: { identifier: funder, name: organisationName },
    license: licence,
    downloadURL: address,
  }
  yield `${JSON.stringify(about).slice(0, -1)},"grants":[`
  let separator = ''
  for await (const grants of chunks) {
    if (grants.length === 0) continue
    yield separator + grants.map((grant) => JSON.stringify(grant)).join(',')
    separator = ','
  }
  yield ']}'
}
