import { type Context, Hono } from 'hono'
import { defaultPreset, findPresetById, keyPresets } from '../../access/key-presets.ts'
import { organisationKeys } from '../../admin/organisation/keys.ts'
import { readFormBody } from '../../http/body.ts'
import { collectionNames } from '../../model/collection.ts'
import { toLabel } from '../../model/properties/compile.ts'
import { resources } from '../../resources/resources.ts'
import { can, requireAction } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { FilterForm } from '../ui/filter-form.tsx'
import { Form } from '../ui/form.tsx'
import { redirectWithFlash, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath, keysPath } from '../ui/paths.ts'
import { PresetCards } from '../ui/preset-cards.tsx'
import { Snippets } from './snippets.tsx'

const requireAdministrator = requireAction(
  'administer',
  'Only administrators of the organisation can create keys.',
)

/** The Connect page: snippets that read a collection from Power BI, Excel, Sheets, Python or a terminal. Administrators can insert a new key. */
export const routes = new Hono<DashboardEnv>()
  .get('/', async (c) => {
    const name = parseCollectionName(c.req.query('collection'))
    const { secret } = takeFlash(c)
    const plural = await loadPlural(name)
    return c.html(<ConnectPage c={c} name={name} plural={plural} secret={secret} />)
  })
  .post('/', requireAdministrator, async (c) => {
    const { collection, preset } = await readFormBody(c.req)
    const name = parseCollectionName(String(collection))
    const { permissions, restrictions } = findPresetById(String(preset))
    const { key } = await c.var
      .administer(organisationKeys)
      .create(`Connect: ${toLabel(name)}`, undefined, {
        permissions,
        restrictions,
      })
    return redirectWithFlash(c, `${connectPath(c)}?collection=${name}`, { secret: key })
  })

type Props = {
  c: Context<DashboardEnv>
  name: string
  plural: string
  /** The new key, shown once. */
  secret: string | undefined
}

function ConnectPage({ c, name, plural, secret }: Props) {
  const { origin } = new URL(c.req.url)
  return (
    <Page c={c} title="Connect">
      <FilterForm
        label="Show snippets"
        fields={[
          {
            name: 'collection',
            label: 'Collection',
            options: collectionNames.map((value) => ({ value, label: toLabel(value) })),
          },
        ]}
        values={{ collection: name }}
      />
      <section class="section">
        <h2>Your key</h2>
        <div role="status">
          {secret && (
            <p class="notice">
              Your new key is filled in below and is shown only once: copy the snippets you need
              before you leave, and treat it as a password.
            </p>
          )}
        </div>
        {!secret && <FillInKey c={c} name={name} />}
      </section>
      <section class="section">
        <h2>{toLabel(name)}</h2>
        <Snippets
          prefix="connect"
          call={{
            origin,
            name,
            plural,
            query: new URLSearchParams({ limit: '100' }),
            ...(secret && { key: secret }),
          }}
        />
      </section>
      <section class="section">
        <h2>All collections as tables</h2>
        <p>
          In Excel and Power BI Desktop choose OData feed, in Tableau OData, and enter{' '}
          <code>{`${origin}/odata/${c.var.store.organisationId}/`}</code>. Sign in with Basic
          authentication: any user name, and the key as the password.
        </p>
      </section>
      <section class="section">
        <h2>AI assistants</h2>
        <p>
          Claude, Copilot and ChatGPT read records at this address, with a key for assistants as the
          bearer token. What they read goes to their provider: agree with those who answer for data
          protection first.
        </p>
        <pre tabindex={0}>{`${origin}/mcp`}</pre>
        {can(c, 'administer') ? (
          <p>
            <a href={`${keysPath(c)}/new?preset=assistant`}>Create a key for an assistant</a>
          </p>
        ) : (
          <p>Ask an administrator of your organisation for a key for assistants.</p>
        )}
      </section>
      <p>
        The <a href="/docs">guide to the API</a> explains filters, dates, changes and writing.
      </p>
    </Page>
  )
}

/** Renders how the snippets get a key: administrators fill in a new one. */
function FillInKey({ c, name }: Pick<Props, 'c' | 'name'>) {
  if (!can(c, 'administer'))
    return (
      <p>
        Replace <code>YOUR_KEY</code> in the snippets with an API key. Ask an administrator of your
        organisation for one.
      </p>
    )
  return (
    <Form action={connectPath(c)} hidden={{ collection: name }}>
      <p>
        Replace <code>YOUR_KEY</code> in the snippets with an API key. Use a separate key for each
        tool, so that you can revoke one without affecting the others.
      </p>
      <PresetCards
        presets={keyPresets.filter(({ permissions }) => permissions.join() === 'read')}
        legend="What the key can see"
        chosen={defaultPreset.id}
      />
      <button type="submit" class="button primary after">
        Fill in a new key
      </button>
    </Form>
  )
}

const parseCollectionName = (requestedName: string | undefined) =>
  collectionNames.find((name) => name === requestedName) ?? 'members'

/** Returns the property that holds the records in the API's list; for people, their kind. */
async function loadPlural(name: string): Promise<string> {
  const resource = await resources[name]?.()
  return resource?.collection?.plural ?? name
}

const connectPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/connect')
