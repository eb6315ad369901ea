import { londonDay } from '../../model/timestamp.ts'
import { applyRule, type RetentionResult, retentionContext } from '../../records/retention.ts'
import type { RetentionRule } from '../../store/settings/retention.ts'
import type { Administration } from './administration.ts'

type Rule = Pick<RetentionRule, 'collection' | 'field' | 'age'>

/** The operations on an organisation's retention rules that need more than its store. */
export const organisationRetention = ({ bindings, store }: Administration) => ({
  /** What a rule would do today to the oldest records, at most `maxRecords`. Deletes nothing. */
  async preview(rule: Rule, maxRecords: number): Promise<RetentionResult[]> {
    const results: RetentionResult[] = []
    const day = londonDay(Date.now())
    const context = retentionContext(bindings, store.organisationId)
    for await (const result of applyRule(context, { ...rule, cursor: null }, day, true)) {
      if (result.outcome !== 'passed over') results.push(result)
      if (results.length === maxRecords) break
    }
    return results
  },
})
