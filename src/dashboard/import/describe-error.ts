import type { Context } from 'hono'
import { handleError } from '../../http/errors.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { StepResponse } from './steps/step-page.tsx'

/** The message and the status that the API would answer with. */
export async function describeImportError(
  c: Context<DashboardEnv>,
  error: unknown,
): Promise<{ message: string; status: StepResponse['status'] }> {
  if (!(error instanceof Error)) throw error
  const response = handleError(error, c)
  const { message } = await response.json<{ message: string }>()
  return { message, status: response.status as StepResponse['status'] }
}
