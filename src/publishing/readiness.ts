import type { Store } from '../store/store.ts'
import type { Fund, Grant } from './grant.ts'
import { listGrants } from './list-grants.ts'
import { type PublishingProblem, problems } from './problems.ts'
import type { Publishing } from './settings.ts'

/** The maximum number of grants of a problem that are listed. */
const maxListed = 50

/** A problem with the number of its grants, and the first of them. */
export type ProblemGrants = {
  problem: PublishingProblem
  count: number
  applications: { id: string; title: string }[]
}

export type Readiness = {
  ready: number
  incomplete: number
  /** The grants to individuals that the settings leave out. */
  leftOut: number
  findings: readonly ProblemGrants[]
  /** The ready grant at the index that was asked for; the first if there are fewer. */
  preview: { index: number; grant: Grant } | undefined
}

/** Checks every grant of the settings for publication. */
export async function checkReadiness(
  store: Store,
  geography: D1Database,
  publishing: Publishing,
  funds: ReadonlyMap<string, Fund>,
  previewIndex: number,
): Promise<Readiness> {
  const findings = new Map<PublishingProblem, ProblemGrants>(
    problems.map((problem) => [problem, { problem, count: 0, applications: [] }]),
  )
  const counts = { ready: 0, incomplete: 0, leftOut: 0 }
  let preview: Readiness['preview']
  for await (const chunk of listGrants(store, geography, publishing, funds)) {
    for (const { application, grant, problems, isLeftOut } of chunk) {
      if (isLeftOut) {
        counts.leftOut++
        continue
      }
      for (const problem of problems) addGrant(findings.get(problem), application)
      if (problems.length > 0) {
        counts.incomplete++
        continue
      }
      if (counts.ready === 0 || counts.ready === previewIndex)
        preview = { index: counts.ready, grant }
      counts.ready++
    }
  }
  return { ...counts, findings: [...findings.values()].filter(({ count }) => count > 0), preview }
}

function addGrant(
  finding: ProblemGrants | undefined,
  { applicationId, title }: { applicationId: string; title: string },
): void {
  if (!finding) return
  finding.count++
  if (finding.applications.length < maxListed)
    finding.applications.push({ id: applicationId, title: title || applicationId })
}
