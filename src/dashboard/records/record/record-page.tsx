import { recordTitle } from '../../collection/collection-info.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { collectionPath } from '../../ui/paths.ts'
import type { RecordView } from './load.ts'
import type { RecordLayout, RecordSection, RecordViewProps } from './record-layout.ts'

type Props = RecordViewProps & { layout: Omit<RecordLayout, 'reads'> }

/** Renders a record by the layout of its collection. */
export function RecordPage({ c, view, layout }: Props) {
  const { collection, record, findTitle, flash } = view
  const { hasInitials, lead, actions, Aside } = layout
  const title = recordTitle(collection, record.values, findTitle)
  const sections = layout.sections.filter(({ isShown }) => isShown?.(view) ?? true)
  return (
    <Page
      c={c}
      title={title}
      {...(hasInitials && { avatar: toInitials(title) })}
      lead={lead?.({ c, view })}
      crumbs={[{ name: collection.label, href: collectionPath(c, collection.name) }]}
      actions={actions({ c, view })}
    >
      <Notice message={flash.notice} undo={flash.undo} />
      <div class="split">
        <div>
          <SectionLinks sections={sections} view={view} />
          {sections.map(({ Content }) => (
            <Content c={c} view={view} />
          ))}
        </div>
        <Aside c={c} view={view} />
      </div>
    </Page>
  )
}

type SectionLinksProps = { sections: readonly RecordSection[]; view: RecordView }

/** Renders links to the sections of a long page, for phones. */
function SectionLinks({ sections, view }: SectionLinksProps) {
  const links = sections.flatMap(({ link }) => link ?? [])
  if (links.length === 0) return null
  return (
    <nav class="tabs narrow-only" aria-label="On this page">
      {links.map(({ id, name, count }) => (
        <a href={`#${id}`}>
          {name} {count && <span>{count(view)}</span>}
        </a>
      ))}
    </nav>
  )
}

/** The initials of a name, such as "JR" for Joan Redfern. */
function toInitials(name: string): string {
  const words = name.split(/[\s-]+/).filter((word) => /\p{L}/u.test(word))
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => Array.from(word ?? '')[0]?.toUpperCase() ?? '')
    .join('')
}
