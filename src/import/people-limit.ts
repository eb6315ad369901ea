import { ApiError } from '../model/api-error.ts'
import { isTrial, type TrialSettings } from '../platform/trial.ts'
import { countPeopleOfAllKinds } from '../store/count-people.ts'
import type { Store } from '../store/store.ts'

/** The number of people up to which an organisation of a trial may import more. */
const maxPeople = 500

/** Whether imports are limited: in a trial, until its operator confirms the storage. */
const isLimited = (env: TrialSettings) => isTrial(env) && env.STORAGE_CONFIRMED !== 'true'

/** Returns the check of an import's new people before anything is written; undefined without a limit. The check throws 403. */
export const limitNewPeople = (
  env: TrialSettings,
  store: Store,
): ((newPeople: number) => Promise<void>) | undefined =>
  isLimited(env)
    ? async (newPeople) => {
        if (newPeople > 0 && newPeople + (await countPeopleOfAllKinds(store)) > maxPeople)
          throw new ApiError(
            'FORBIDDEN',
            `This trial imports at most ${maxPeople} people, because its data may be stored outside the European Union. For more, its operator sets STORAGE_CONFIRMED to true.`,
          )
      }
    : undefined
