import type { Child, PropsWithChildren } from 'hono/jsx'
import { HtmlDocument, SkipLink } from './document.tsx'

type Props = PropsWithChildren<{
  title: string
  crumb: { name: string; href: string }
  /** What the bar above the paper has besides the way back. It is not printed. */
  controls: Child
  /** A further class of the paper. */
  class?: string
}>

/** Renders a page for paper. */
export const PaperPage = ({ title, crumb, controls, class: kind, children }: Props) => (
  <HtmlDocument title={title}>
    <body class="for-print">
      <link rel="stylesheet" href="/assets/sheet.css" />
      <SkipLink />
      <header class="sheet-bar">
        <nav aria-label="Breadcrumb">
          <ol class="crumbs">
            <li>
              <a href={crumb.href}>{crumb.name}</a>
            </li>
          </ol>
        </nav>
        {controls}
      </header>
      <main class={['sheet', kind].filter(Boolean).join(' ')} id="main">
        {children}
      </main>
    </body>
  </HtmlDocument>
)
