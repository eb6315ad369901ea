import { isBirthDate } from '../../model/properties/recognise.ts'
import type { FilterProperty } from '../filters/filter.ts'
import { findJoiningDate } from './report-query.ts'

/** The parameters of the reports that every organisation has, as far as its members' fields allow. */
export function listReadyReports(memberProperties: readonly FilterProperty[]): URLSearchParams[] {
  const joined = findJoiningDate(memberProperties)
  const born = memberProperties.find(isBirthDate)
  const ward = memberProperties.find(({ name }) => name.endsWith('.ward'))
  const reports: (Record<string, string> | undefined)[] = [
    ward && { $count: 'members', $by: ward.name },
    joined && { $count: 'members', $by: `${joined.name}~month`, $period: lastYear },
    born && { $count: 'members', $by: `${born.name}~age` },
    { $count: 'attendances', $by: 'date~month', $period: lastYear },
    { $count: 'attendances', $by: 'event.tags', $period: 'last-quarter' },
    { $count: 'grant-applications', $by: 'status' },
  ]
  return reports.flatMap((report) => (report ? [new URLSearchParams(report)] : []))
}

const lastYear = 'last-12-months'
