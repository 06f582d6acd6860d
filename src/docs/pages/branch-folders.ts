import { isWithin, parentPointer, readFlag, valueAtPointer } from '../../text/json/json-values.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { joinPath } from '../../text/plain/paths.ts'
import type { Division, DocsConfig } from '../navigation/docs-config.ts'
import { slug, toSafeName } from './generated-page.ts'
import type { DeclaredDivision } from './subjects.ts'

/**
 * Separates the pages of a document that several languages, versions or products list. One of them has the plain addresses: of those with pages,
 * else of all, the default one, else the first. Pages of the others are in a folder with their labels, unless they have a directory of their own.
 */
export function separateBranches(docsConfig: DocsConfig, divisions: readonly DeclaredDivision[]): DeclaredDivision[] {
  const all = divisions.flatMap(({ branch, sources, lockedSources }) =>
    sources.map(({ source, directory }) => {
      const isSettled = lockedSources.some((one) => one.source === source && one.directory === directory)
      return { source, directory, branch, isSettled }
    }),
  )
  const bySource = groupBy(all, ({ source }) => source)
  const owners = new Map(
    [...bySource].map(([source, uses]) => {
      const settled = uses.filter(({ isSettled }) => isSettled)
      const candidates = settled.length > 0 ? settled : uses
      const owner = candidates.find(({ branch }) => listLabels(docsConfig, branch, false).length === 0) ?? candidates[0]
      return [source, owner?.branch] as const
    }),
  )
  return divisions.map((division) => {
    const { branch, lockedSources } = division
    const sources = division.sources.map((one) => {
      if (owners.get(one.source) === branch) return one
      const labels = listLabels(docsConfig, branch, false)
      const folder = (labels.length > 0 ? labels : listLabels(docsConfig, branch, true)).join('/')
      const uses = bySource.get(one.source) ?? []
      const isShared = uses.some((use) => use.branch !== branch && use.directory === one.directory)
      const isSettled = lockedSources.some(({ source, directory }) => source === one.source && directory === one.directory)
      return { ...one, folder, directory: isShared && !isSettled ? joinPath(folder, one.directory) : one.directory }
    })
    return { ...division, sources }
  })
}

/** The labels of a branch and of those around it as folder names, without defaults unless `all`. */
function listLabels({ divisions, value }: DocsConfig, branch: string, all: boolean): string[] {
  const around = divisions.filter((one) => one.branch === one.pointer && isWithin(branch, one.pointer))
  const isMarked = ({ pointer }: Division) => readFlag(valueAtPointer(value, pointer), 'default')
  const isDefault = (one: Division) => {
    const siblings = divisions.filter(({ pointer }) => parentPointer(pointer) === parentPointer(one.pointer))
    return (siblings.find(isMarked) ?? siblings[0])?.pointer === one.pointer
  }
  return around.flatMap((one) => (all || !isDefault(one) ? toSafeName(slug(one.label)) || [] : []))
}
