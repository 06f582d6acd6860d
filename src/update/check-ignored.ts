import type { Finding } from '../diagnostic/diagnostic.ts'
import { lockFileName } from '../docs/lock-file.ts'
import type { DeclaredDivision, PagePlan } from '../pages/types.ts'
import { joinPath } from '../text/relative-path.ts'
import type { Survey } from './survey-docs-root.ts'
import type { UpdateEnvironment } from './types.ts'

/** Reports pages that git would not commit, one finding for each division. */
export async function checkIgnored(
  { root, docsConfig }: Survey,
  divisions: readonly DeclaredDivision[],
  plan: PagePlan,
  { findIgnored }: UpdateEnvironment,
): Promise<Finding[]> {
  const planned = plan.divisions.map(({ id, groups }) => {
    const pages = groups.flatMap((group) => group.pages).filter(({ kind }) => kind === 'generated')
    return { id, paths: pages.map(({ path }) => joinPath(root, path)) }
  })
  const paths = planned.flatMap((division) => division.paths)
  if (!findIgnored || paths.length === 0) return []
  const lockPath = joinPath(root, lockFileName)
  const ignored = new Set(await findIgnored([...paths, lockPath]))
  const findings = planned.flatMap(({ id, paths: own }): Finding[] => {
    const hits = own.filter((path) => ignored.has(path))
    const first = hits[0]
    if (first === undefined) return []
    const pointer = divisions.find((division) => division.id === id)?.pointer
    const place = docsConfig && pointer !== undefined ? { file: docsConfig.source.path, pointer } : { file: first, pointer: '' }
    const message = `Git ignores ${hits.length} of ${own.length} pages, the first is \`${first}\`: they would not be committed`
    return [
      { code: 'page-ignored', message, ...place, hint: `take its folder out of \`.gitignore\`, or name another \`directory\`` },
    ]
  })
  if (ignored.has(lockPath)) {
    const message = `Git ignores \`${lockPath}\`: without it every run would take its own pages for somebody else's`
    findings.push({ code: 'page-ignored', message, file: lockPath, pointer: '', hint: 'take it out of `.gitignore`' })
  }
  return findings
}
