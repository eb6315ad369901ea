import { interceptDatabase } from './intercept.ts'

const maxWaitMs = 120_000
const pauseMs = 250

// The second message reports a lock at the end of a statement.
const busyError = /SQLITE_BUSY|Failed to get session commit token/

/** Whether a message says that another process is writing to a local database. */
export const isBusyMessage = (message: string): boolean => busyError.test(message)

/**
 * Wraps a local database to retry statements while another process writes. SQLite rolls rejected
 * statements back, so a retry is safe.
 */
export const withRetry = (db: D1Database): D1Database => interceptDatabase(db, retryWhileBusy)

async function retryWhileBusy<Result>(operation: () => Promise<Result>): Promise<Result> {
  for (const deadline = Date.now() + maxWaitMs; ; await pause()) {
    try {
      return await operation()
    } catch (error) {
      const isBusy = error instanceof Error && isBusyMessage(error.message)
      if (!isBusy || Date.now() > deadline) throw error
    }
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs))
