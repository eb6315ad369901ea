import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { Hono } from '../../http/hono.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { ActionButton, Confirm } from './button.tsx'
import { Menu } from './menu.tsx'
import { redirectWithFlash } from './notice.tsx'
import { Page } from './page.tsx'

/*
 * An action is declared once: its label in the menu of a key or a webhook, the page that asks first, and
 * its effect. Menu, page and routes follow from the declaration.
 */

/** The page that asks before an action. */
type Confirmation = {
  title: string
  /** What the action does, and any fields of the form. */
  text: Child
  confirmLabel: string
  cancelLabel?: string
  /** Whether the action takes something away. */
  isDangerous?: boolean
}

/** Something to do with one thing of a list. */
export type Action<Thing> = {
  label: string
  isAvailable?: (thing: Thing) => boolean
  /** Whether the menu sets it apart, because it cannot be undone. */
  isFinal?: boolean
  confirm?: (thing: Thing) => Confirmation
  /** Whether the page of the thing follows, rather than the list. */
  showsThing?: boolean
} & Effect

type Run<Result> = (c: Context<DashboardEnv>, id: string) => Promise<Result>

/** An effect does nothing if another window was faster: the next page shows the current state. The list shows a new secret once. */
type Effect = { run: Run<unknown> } | { createSecret: Run<string | undefined> }

/** The actions of a list's things by the last segment of their paths, in the order of the menu. */
type Actions<Thing> = Readonly<Record<string, Action<Thing>>>

type ActionRoutes<Thing> = {
  actions: Actions<Thing>
  find: (c: Context<DashboardEnv>, id: string) => Promise<Thing>
  listPath: (c: Context<DashboardEnv>) => string
  /** The links from a confirmation page to the pages above it; by default it has the tabs of the list. */
  crumbs?: (c: Context<DashboardEnv>) => readonly { name: string; href: string }[]
}

/** The routes of actions: `GET /:id/<action>` asks, `POST` runs it. */
export function actionRoutes<Thing>({ actions, find, listPath, crumbs }: ActionRoutes<Thing>) {
  const routes = new Hono<DashboardEnv>()
  for (const [name, action] of Object.entries(actions)) {
    const { confirm, showsThing } = action
    if (confirm)
      routes.get(`/:id/${name}`, async (c) => {
        const { title, text, ...confirmation } = confirm(await find(c, c.req.param('id')))
        return c.html(
          <Page c={c} title={title} {...(crumbs && { crumbs: crumbs(c), tabs: [] })}>
            <Confirm action={c.req.path} cancelPath={listPath(c)} {...confirmation}>
              {text}
            </Confirm>
          </Page>,
        )
      })
    routes.post(`/:id/${name}`, async (c) => {
      const id = c.req.param('id')
      if ('createSecret' in action) {
        const secret = await action.createSecret(c, id)
        if (secret !== undefined) return redirectWithFlash(c, listPath(c), { secret })
      } else await action.run(c, id)
      return c.redirect(showsThing ? `${listPath(c)}/${id}` : listPath(c), 303)
    })
  }
  return routes
}

type ActionMenuProps<Thing> = {
  actions: Actions<Thing>
  thing: Thing
  /** The path of the thing. */
  path: string
  label: string
  class?: string
}

/** Renders the menu of the available actions: links to confirmation pages, and buttons. */
export const ActionMenu = <Thing,>({ actions, thing, path, ...menu }: ActionMenuProps<Thing>) => (
  <Menu isRare {...menu}>
    {Object.entries(actions)
      .filter(([, { isAvailable }]) => isAvailable?.(thing) ?? true)
      .map(([name, { label, isFinal, confirm }]) => (
        <li class={isFinal ? 'apart' : undefined}>
          {confirm ? (
            <a class={isFinal ? 'danger' : undefined} href={`${path}/${name}`}>
              {label}
            </a>
          ) : (
            <ActionButton action={`${path}/${name}`} label={label} />
          )}
        </li>
      ))}
  </Menu>
)
