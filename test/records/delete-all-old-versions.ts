import { env } from 'cloudflare:workers'
import { deleteOldVersions } from '../../src/store/write/previous-versions.ts'

/** Deletes the old versions of all organisations. One run has a limit, which those of other tests may use up. */
export async function deleteAllOldVersions(now: number): Promise<void> {
  const count = () =>
    env.DB.prepare(
      'SELECT count(*) AS left FROM history WHERE replaced IS NOT NULL OR attached IS NOT NULL',
    ).first<number>('left')
  for (let before: number | null = null; ; ) {
    await deleteOldVersions(env.DB, now)
    const left = await count()
    if (left === before) return
    before = left
  }
}
