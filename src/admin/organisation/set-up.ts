import { markTask, readDoneTasks } from '../../store/settings/organisation.ts'
import type { Administration } from './administration.ts'

/** The operations on the tasks outside the service, of which it only knows what administrators mark. */
export const organisationSetUp = ({ store }: Pick<Administration, 'store'>) => ({
  listDone: () => readDoneTasks(store),
  mark: (task: string, isDone: boolean) => markTask(store, task, isDone),
})
