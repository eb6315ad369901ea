import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { toApiError } from '../../http/errors.ts'
import { sha256 } from '../../platform/sha256.ts'
import { randomSecret, secretPattern } from '../../sign-up/link.ts'
import type { SignUpResult } from '../../sign-up/sign-up.ts'
import {
  readSignUpDraft,
  type SignUpDraft,
  saveSignUpDraft,
} from '../../store/sign-up/sign-up-drafts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { FormValues } from '../ui/form-values.ts'
import { assetPath, type PublicSite, publicPath } from '../ui/site.ts'
import { controls } from './answers.ts'

/*
 * Each step of a sign-up leads to a page with an address, so that Back and Reload send nothing again. What people have
 * entered is kept in between. The address has the id of their form and a cookie has a secret of their browser: both are
 * needed, so that the address shows nothing to anybody else. A browser without the cookie gets the page as the
 * response to the form.
 */

/** A step of a sign-up: the entered values, and the page that shows them. */
export type Step = {
  values: FormValues
  page: string
  /** The code of the reason why the sign-up was refused. */
  refusal?: string | undefined
  /** The result, once the sign-up was sent. */
  sent?: Sent | undefined
}

export type Sent = {
  outcome: SignUpResult['outcome']
  /** Whether there were too few places. */
  isWaiting: boolean
}

type StoredStep = SignUpDraft & { sent?: Sent }

const cookieName = 'sign-up'

/** Reads the step that the address names, from what this browser has entered; an empty form without any. */
export async function openStep(c: Context<PublicEnv>, eventId: string): Promise<Step> {
  const { draft: formId = '', page = '', refusal } = c.req.query()
  const draft = await findDraft(c, eventId, formId)
  if (!draft) return { values: new FormValues(), page: '' }
  return { values: FormValues.of(draft.values), page, refusal, sent: draft.sent }
}

/** Whether this browser has a draft of a form. */
export const hasDraft = async (
  c: Context<PublicEnv>,
  eventId: string,
  values: FormValues,
): Promise<boolean> => (await findDraft(c, eventId, await formIdOf(values))) !== undefined

async function findDraft(c: Context<PublicEnv>, eventId: string, formId: string) {
  const id = await draftId(c, formId)
  return id === undefined ? undefined : readSignUpDraft<StoredStep>(c.var.store, { id, eventId })
}

const formIdOf = (values: FormValues) => sha256(`form:${values.text(controls.token)}`)

/** Saves a step. Returns its address; undefined if the browser cannot open it. */
export async function saveStep(
  c: Context<PublicEnv>,
  eventId: string,
  { values, page, refusal, sent }: Step,
): Promise<string | undefined> {
  const formId = await formIdOf(values)
  const id = await draftId(c, formId)
  if (!id) return undefined
  const draft: StoredStep = { values: values.entries(() => true), ...(sent && { sent }) }
  try {
    if (!(await saveSignUpDraft(c.var.store, { id, eventId }, draft))) return undefined
  } catch (error) {
    // The records can perhaps be read, but not changed now.
    if (toApiError(error)) return undefined
    throw error
  }
  return publicPath(c.var.site, `/events/${encodeURIComponent(eventId)}`, {
    draft: formId,
    page,
    ...(refusal && { refusal }),
  })
}

/** Gives the browser a secret, which a form needs, until it is closed. */
export function rememberBrowser(c: Context<PublicEnv>): void {
  if (getCookie(c, cookieName, 'secure')) return
  const { site } = c.var
  setCookie(c, cookieName, randomSecret(), {
    ...cookieScope(site),
    httpOnly: true,
    // Another website that embeds the page has its own cookies.
    ...(site.isEmbedded ? { sameSite: 'None', partitioned: true } : { sameSite: 'Lax' }),
  })
}

/** Takes the secret from the browser, so that nobody sees its drafts again. */
export const forgetBrowser = (c: Context<PublicEnv>) =>
  deleteCookie(c, cookieName, cookieScope(c.var.site))

const cookieScope = (site: PublicSite) =>
  ({ prefix: 'secure', path: assetPath(site, '/events'), secure: true }) as const

/** The id of the draft of a form in this browser; undefined without a cookie. */
async function draftId(c: Context<PublicEnv>, formId: string): Promise<string | undefined> {
  const secret = getCookie(c, cookieName, 'secure') ?? ''
  if (!secretPattern.test(secret) || !secretPattern.test(formId)) return undefined
  return sha256(JSON.stringify(['draft', secret, formId]))
}
