import { isTrial, type TrialSettings } from '../../platform/trial.ts'

/** Renders what everybody who uses a trial must know. */
export const TrialBanner = ({ env }: { env: TrialSettings }) =>
  isTrial(env) && (
    <p class="notice warn trial">
      This is a trial, to look around with invented people. Its data may be stored outside the
      European Union.
    </p>
  )
