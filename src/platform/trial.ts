import type { Settings } from './bindings.ts'

/** The settings of a trial. */
export type TrialSettings = Pick<Settings, 'TRIAL' | 'STORAGE_CONFIRMED'>

/** Whether the service is a trial. Cloudflare may have put its storage outside the European Union. */
export const isTrial = ({ TRIAL }: TrialSettings) => TRIAL === 'true'
