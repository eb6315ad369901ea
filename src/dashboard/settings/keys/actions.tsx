import { organisationKeys } from '../../../admin/organisation/keys.ts'
import { readFormBody } from '../../../http/body.ts'
import { invalidInput } from '../../../model/api-error.ts'
import { validate } from '../../../model/validation-error.ts'
import { reactivateKey, revokeKey } from '../../../store/settings/keys.ts'
import type { ListedKey } from '../../../store/settings/list-keys.ts'
import type { Action } from '../../ui/actions.tsx'
import { gracePeriods, RotateKeyForm } from './key-form.ts'

const isActive = ({ state }: ListedKey) => state === 'active'

/** The actions of a key. */
export const keyActions: Readonly<Record<string, Action<ListedKey>>> = {
  rotate: {
    label: 'Rotate',
    isAvailable: isActive,
    confirm: (key) => ({
      title: 'Rotate a key',
      confirmLabel: 'Create new key',
      isDangerous: false,
      text: (
        <>
          <p>
            This creates a new key that replaces <KeyName apiKey={key} />.
          </p>
          <label>
            Keep the old key working for
            <select name="gracePeriod">
              {Object.keys(gracePeriods).map((name) => (
                <option selected={name === 'one day'}>{name}</option>
              ))}
            </select>
          </label>
        </>
      ),
    }),
    createSecret: async (c, id) => {
      const form = validate(RotateKeyForm, await readFormBody(c.req))
      if ('errors' in form) throw invalidInput(form.errors)
      return (await c.var.administer(organisationKeys).rotate(id, form.value.gracePeriod))?.key
    },
  },
  revoke: {
    label: 'Revoke',
    isAvailable: isActive,
    confirm: (key) => ({
      title: 'Revoke a key',
      confirmLabel: 'Revoke this key',
      text: (
        <p>
          Revoke <KeyName apiKey={key} />? Every tool that uses it loses access at once. You can
          reactivate it later.
        </p>
      ),
    }),
    run: (c, id) => revokeKey(c.var.store, id),
  },
  reactivate: {
    label: 'Reactivate',
    isAvailable: ({ state }) => state === 'revoked',
    run: (c, id) => reactivateKey(c.var.store, id),
  },
  delete: {
    label: 'Delete',
    isFinal: true,
    confirm: (key) => ({
      title: 'Delete a key',
      confirmLabel: 'Delete this key for good',
      cancelLabel: 'Keep key',
      text: (
        <p>
          Delete <KeyName apiKey={key} /> for good? Every tool that uses it loses access at once.
          This cannot be undone. To stop the key temporarily, revoke it instead.
        </p>
      ),
    }),
    run: (c, id) => c.var.administer(organisationKeys).delete(id),
  },
}

/** Renders a key's name with its prefix. */
export const KeyName = ({ apiKey: { name, prefix } }: { apiKey: ListedKey }) => (
  <>
    <strong>{name}</strong> (<code>{prefix}…</code>)
  </>
)
