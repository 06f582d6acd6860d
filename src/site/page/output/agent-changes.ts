import { formatOperation } from '../../../changes/show/changes-text.ts'
import { withoutControls } from '../../../text/plain/escape-text.ts'
import type { SiteFile } from '../../plan/types.ts'
import { listEntries } from '../api/changelog-entries.ts'
import type { SiteSource } from '../site-context.ts'

/** The changelogs of a site for the tool `list_changes` of its MCP server, see `src/site/agents/site-tools.ts`. */
export function renderAgentChanges({ context: { plan }, changelogs }: SiteSource): SiteFile[] {
  const found = plan.pages.flatMap(({ subject, route, title }) => {
    const changelog = subject.kind === 'changelog' ? changelogs.get(subject.source) : undefined
    if (!changelog) return []
    const versions = listEntries(changelog).map(({ entry, listed, left }) => ({
      name: entry.name,
      ...(entry.date !== undefined && { date: entry.date.slice(0, 10) }),
      changes: listed.map(({ level, code, message, operation, operations }) => ({
        level,
        code,
        message,
        operations: (operation ? [operation] : operations).map(formatOperation),
      })),
      left,
    }))
    return [{ route, title, versions }]
  })
  return found.length === 0 ? [] : [{ path: '_agents/changes.json', content: `${withoutControls(JSON.stringify(found))}\n` }]
}
