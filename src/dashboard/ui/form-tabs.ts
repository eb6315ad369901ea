import type { Context } from 'hono'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { Tab } from './page.tsx'
import { formPagePath, responsesPath, surveyPath } from './paths.ts'

/** The pages of a form with a tab. */
type FormTab = 'Results' | 'Questions' | 'Send to people' | 'Settings'

/** The tabs of a form. The result comes before the single answer. */
export function listFormTabs(
  c: Context<DashboardEnv>,
  { formId, questions }: SurveyForm,
  current: FormTab,
  responses: number | undefined,
): Tab[] {
  const path = formPagePath(c, formId)
  const tabs = [
    { name: 'Results', href: surveyPath(c, formId), count: responses },
    { name: 'Answers', href: responsesPath(c, formId) },
    { name: 'Questions', href: path, count: questions.length },
    ...(can(c, 'write')
      ? [
          { name: 'Send to people', href: `${path}/links` },
          { name: 'Settings', href: `${path}/settings` },
        ]
      : []),
  ]
  return tabs.map((tab) => ({ ...tab, isCurrent: tab.name === current }))
}
