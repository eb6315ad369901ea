export type Status = keyof typeof submittedWithin

/** When applications of each status were submitted, so that what followed lies before the present. */
export const submittedWithin = {
  pending: ['2026-06-01', '2026-06-25'],
  applied: ['2026-05-10', '2026-06-20'],
  in_review: ['2026-04-15', '2026-05-31'],
  reviewed: ['2026-04-01', '2026-05-10'],
  recommended: ['2026-03-15', '2026-05-10'],
  rejected: ['2024-02-01', '2026-04-15'],
  approved: ['2025-08-01', '2026-03-31'],
  fully_paid: ['2024-10-01', '2025-06-30'],
  completed: ['2024-02-01', '2024-09-30'],
} as const

const counts: Record<string, [Status, number][]> = {
  'fund-1': [
    ['pending', 2],
    ['applied', 3],
    ['in_review', 3],
    ['reviewed', 2],
    ['recommended', 2],
    ['rejected', 7],
    ['approved', 8],
    ['fully_paid', 6],
    ['completed', 7],
  ],
  'fund-2': [
    ['pending', 2],
    ['applied', 2],
    ['in_review', 2],
    ['reviewed', 2],
    ['recommended', 2],
    ['rejected', 4],
    ['approved', 6],
    ['fully_paid', 5],
    ['completed', 5],
  ],
  'fund-3': [
    ['rejected', 4],
    ['approved', 2],
    ['fully_paid', 5],
    ['completed', 6],
  ],
  'fund-4': [
    ['pending', 2],
    ['applied', 3],
    ['in_review', 3],
    ['reviewed', 2],
    ['recommended', 2],
    ['rejected', 7],
    ['approved', 6],
    ['fully_paid', 6],
    ['completed', 2],
  ],
}

/** A status for each application to the fund. */
export const tally = (fundId: string): Status[] =>
  (counts[fundId] ?? []).flatMap(([status, count]) => Array<Status>(count).fill(status))
