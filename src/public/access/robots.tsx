import type { Context } from 'hono'
import * as z from 'zod'
import type { HttpEnv } from '../../http/env.ts'
import { PublicError } from '../../sign-up/public-error.ts'
import { texts } from '../../texts/texts.ts'
import type { FormValues } from '../ui/form-values.ts'

/** What the protection needs of a request. */
export type RobotContext = Pick<Context<HttpEnv>, 'env' | 'req'>

/** The names of the controls that protect a form from robots. */
const controls = {
  started: 'started',
  trap: 'website',
  turnstile: 'cf-turnstile-response',
} as const

/** The least time between showing a form and sending it. */
const minSeconds = 2

export const turnstileOrigin = 'https://challenges.cloudflare.com'
const verifyUrl = `${turnstileOrigin}/turnstile/v0/siteverify`
const timeoutMs = 10_000

/** The address of the script that a protected form needs; undefined without Turnstile's keys. */
export function turnstileScript({ env }: RobotContext): string | undefined {
  const isSet = env.TURNSTILE_SITE_KEY && env.TURNSTILE_SECRET_KEY
  return isSet ? `${turnstileOrigin}/turnstile/v0/api.js` : undefined
}

/** Renders the controls that protect a form: the time when it was first shown and an input that people do not see. */
export function RobotControls({ values }: { values: FormValues }) {
  const { started, trap } = controls
  return (
    <>
      <input type="hidden" name={started} value={values.text(started) || Date.now().toString(36)} />
      <div class="visually-hidden" aria-hidden="true">
        <label>
          {texts.robots.trap}
          <input name={trap} tabindex={-1} autocomplete="off" />
        </label>
      </div>
    </>
  )
}

/** Renders the Turnstile widget if its keys are set. */
export function TurnstileWidget({ c }: { c: RobotContext }) {
  if (!turnstileScript(c)) return null
  return (
    <>
      <div class="cf-turnstile" data-sitekey={c.env.TURNSTILE_SITE_KEY} />
      <noscript>
        <p class="notice">{texts.robots.needsScript}</p>
      </noscript>
    </>
  )
}

/** Throws 400 if a form was filled in by a robot, or too fast for a person. */
export async function refuseRobots(c: RobotContext, values: FormValues): Promise<void> {
  const started = Number.parseInt(values.text(controls.started), 36)
  const isTooFast = !(Date.now() - started >= minSeconds * 1000)
  if (values.text(controls.trap) !== '' || isTooFast) throw new PublicError('sentTooFast')
  if (turnstileScript(c) && !(await verifyTurnstile(c, values.text(controls.turnstile))))
    throw new PublicError('personUnconfirmed')
}

const Verdict = z.object({ success: z.boolean() })

/** Whether Cloudflare confirms the token of a Turnstile widget. */
async function verifyTurnstile({ env, req }: RobotContext, token: string): Promise<boolean> {
  if (token === '' || token.length > 2048) return false
  const response = await fetch(verifyUrl, {
    method: 'POST',
    body: new URLSearchParams({
      secret: env.TURNSTILE_SECRET_KEY ?? '',
      response: token,
      remoteip: req.header('CF-Connecting-IP') ?? '',
    }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const verdict = Verdict.safeParse(await response.json())
  return verdict.success && verdict.data.success
}
