import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Child } from 'hono/jsx'
import { cookieAttributes, type DashboardEnv } from '../session/signed-in.ts'
import { ActionButton } from './button.tsx'

type Flash = {
  /** One sentence about a completed action. */
  notice?: string
  /** The address that takes the action back when a form is sent to it. */
  undo?: string
  secret?: string
}

const flashNames = ['notice', 'undo', 'secret']
const cookieName = 'flash'
const maxAgeSeconds = 60

/** Redirects to a page that shows a notice or a new secret once. A reload does not repeat the action. */
export function redirectWithFlash(c: Context, path: string, flash: Flash): Response {
  setCookie(c, cookieName, JSON.stringify(flash), {
    ...cookieAttributes,
    sameSite: 'Strict',
    maxAge: maxAgeSeconds,
  })
  return c.redirect(path, 303)
}

/** Returns the notice or secret for this page and deletes its cookie. */
export function takeFlash(c: Context<DashboardEnv>): Flash {
  const text = getCookie(c, cookieName, 'host')
  if (text === undefined) return {}
  deleteCookie(c, cookieName, cookieAttributes)
  try {
    return parseFlash(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The texts of a cookie, which the browser could have changed. */
function parseFlash(cookie: unknown): Flash {
  const texts = Object.entries(Object(cookie)).filter(
    ([name, value]) => flashNames.includes(name) && typeof value === 'string',
  )
  return Object.fromEntries(texts)
}

type NoticeProps = { message?: string | undefined; undo?: string | undefined }

/** Renders a status message that screen readers announce, with a button that takes the action back. */
export function Notice({ message, undo }: NoticeProps) {
  return (
    <div role="status">
      {message && (
        <div class="notice">
          <p>{message}</p>
          {undo && <ActionButton action={undo} label="Undo" class="button" />}
        </div>
      )}
    </div>
  )
}

type NewSecretNoticeProps = { title: string; secret: string | undefined; children: Child }

/** Renders a new secret with an explanation, or an empty status region without a secret. */
export function NewSecretNotice({ title, secret, children }: NewSecretNoticeProps) {
  return (
    <div role="status">
      {secret && (
        <article class="card">
          <h2>{title}</h2>
          <p>
            <strong>Copy it now: it will not be shown again.</strong> {children}
          </p>
          <code id="new-key" class="secret">
            {secret}
          </code>
          <button type="button" class="button" data-copy="new-key" hidden>
            Copy
          </button>
        </article>
      )}
    </div>
  )
}
