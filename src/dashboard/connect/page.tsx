import type { Context } from 'hono'
import type { PropsWithChildren } from 'hono/jsx'
import { defaultPreset, findPresetById, keyPresets } from '../../access/key-presets.ts'
import { organisationKeys } from '../../admin/organisation/keys.ts'
import { readFormBody } from '../../http/body.ts'
import { Hono } from '../../http/hono.ts'
import { collectionLabel, collectionNames } from '../../model/collection.ts'
import { resources } from '../../resources/resources.ts'
import { can, requireAction } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { FilterForm } from '../ui/filter-form.tsx'
import { Form } from '../ui/form.tsx'
import { NewSecretNotice, redirectWithFlash, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath, keysPath } from '../ui/paths.ts'
import { PresetCards } from '../ui/preset-cards.tsx'
import { Snippets } from './snippets.tsx'

const requireAdministrator = requireAction(
  'administer',
  'Only administrators of the organisation can create keys and download everything.',
)

/** The Connect page: how Excel and other programs read records, and code for engineers. Administrators can create a key. */
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
      .create(`Connect: ${collectionLabel(name)}`, undefined, {
        permissions,
        restrictions,
      })
    const query = collection === undefined ? '' : `?collection=${name}`
    return redirectWithFlash(c, connectPath(c) + query, { secret: key })
  })
  .get('/package', requireAdministrator, async (c) =>
    (await import('./download-package.ts')).downloadPackage(c),
  )

type Props = {
  c: Context<DashboardEnv>
  name: string
  plural: string
  /** The new key, shown once. */
  secret: string | undefined
}

function ConnectPage({ c, name, plural, secret }: Props) {
  const { origin } = new URL(c.req.url)
  const address = `${origin}/odata/${c.var.store.organisationId}/`
  return (
    <Page
      c={c}
      title="Connect"
      lead="Your records in Excel and other programs. They stay up to date: no file has to be sent."
    >
      <section class="section">
        <h2>I use Excel</h2>
        <ol class="guide">
          <Step
            number={1}
            title="Get a key"
            alt="Choose what it can see, create a key and copy it."
          >
            <p>A key is a password for one program. It reads, and changes nothing.</p>
            <GetKey c={c} secret={secret} />
          </Step>
          <Step
            number={2}
            title="Give Excel the address"
            alt="The tab Data, Get Data, From Other Sources, From OData Feed."
          >
            <p>
              Choose Data, Get Data, From Other Sources, From OData Feed. OData is how Excel reads
              the lists of another program. Paste this address:
            </p>
            <CopiedText id="feed" text={address} />
          </Step>
          <Step
            number={3}
            title="Sign in with the key"
            alt="The window of Excel: Basic, a user name, and the key as the password."
          >
            <p>
              Choose Basic. Type any user name, and the key as the password. Below, choose the
              longest address. Tick the lists that you need and choose Load. Later, Refresh All
              brings them up to date.
            </p>
          </Step>
        </ol>
      </section>
      <section class="section">
        <h2>I use Power BI or Tableau</h2>
        <p>
          Choose the same: OData feed, the address of step 2, Basic, and the key as the password.
        </p>
      </section>
      <section class="section">
        <h2>I ask Claude, Copilot or ChatGPT</h2>
        <p>
          Add a connector in your assistant, with this address and a key for assistants. What it
          reads goes to its provider: agree with those who answer for data protection first.
        </p>
        <CopiedText id="assistant" text={`${origin}/mcp`} />
        {can(c, 'administer') ? (
          <p class="after">
            <a href={`${keysPath(c)}/new?preset=assistant`}>Create a key for an assistant</a>
          </p>
        ) : (
          <p class="after">Ask an administrator of your organisation for a key for assistants.</p>
        )}
      </section>
      {can(c, 'administer') && (
        <section class="section">
          <h2>I want all records as files</h2>
          <p>
            One zip file with a table of each list, which any other program reads. It holds personal
            data of everybody: keep it safe, and delete it when you no longer need it.
          </p>
          <a class="button" href={`${connectPath(c)}/package`} download>
            Download everything
          </a>
        </section>
      )}
      <details class="fold" data-for="engineers" open={c.req.query('collection') !== undefined}>
        <summary>For engineers: code for each collection</summary>
        <FilterForm
          label="Show snippets"
          fields={[
            {
              name: 'collection',
              label: 'Collection',
              options: collectionNames.map((value) => ({ value, label: collectionLabel(value) })),
            },
          ]}
          values={{ collection: name }}
        />
        <p>
          Replace <code>YOUR_KEY</code> with an API key. The <a href="/docs">guide to the API</a>{' '}
          explains filters, dates, changes and writing.
        </p>
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
      </details>
    </Page>
  )
}

type StepProps = PropsWithChildren<{ number: number; title: string; alt: string }>

/** Renders a step with a picture of what to choose. */
const Step = ({ number, title, alt, children }: StepProps) => (
  <li>
    <img src={`/assets/connect-${number}.svg`} alt={alt} width={320} height={180} />
    <div>
      <h3>{title}</h3>
      {children}
    </div>
  </li>
)

const CopiedText = ({ id, text }: { id: string; text: string }) => (
  <p class="row">
    <code id={id} class="secret">
      {text}
    </code>
    <button type="button" class="button" data-copy={id} hidden>
      Copy
    </button>
  </p>
)

/** Renders the new key, or for administrators the form that creates one. */
function GetKey({ c, secret }: Pick<Props, 'c' | 'secret'>) {
  if (!can(c, 'administer')) return <p>Ask an administrator of your organisation for one.</p>
  return (
    <>
      <NewSecretNotice title="Your new key" secret={secret}>
        Treat it as a password.
      </NewSecretNotice>
      {!secret && (
        <Form action={connectPath(c)} hidden={{ collection: c.req.query('collection') }}>
          <PresetCards
            presets={keyPresets.filter(({ permissions }) => permissions.join() === 'read')}
            legend="What the key can see"
            chosen={defaultPreset.id}
          />
          <button type="submit" class="button primary after">
            Create a key
          </button>
        </Form>
      )}
    </>
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
