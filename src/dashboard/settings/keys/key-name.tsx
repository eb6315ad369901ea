import type { ListedKey } from '../../../admin/list-keys.ts'

/** What a key is called, with the characters it begins with. */
export function KeyName({ apiKey: { name, prefix } }: { apiKey: ListedKey }) {
  return (
    <>
      <strong>{name}</strong> (<code>{prefix}…</code>)
    </>
  )
}
