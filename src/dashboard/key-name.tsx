import type { ShownKey } from '../auth/shown-keys.ts'

/** What a key is called, with the characters it begins with. */
export function KeyName({ of: { name, prefix } }: { of: ShownKey }) {
  return (
    <>
      <strong>{name}</strong> (<code>{prefix}…</code>)
    </>
  )
}
