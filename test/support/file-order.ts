import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The order of test files in a project. A process that has loaded much needs up to twenty times as long to start another one, because Linux copies
 * its page tables. So files that start many processes run first, and files that fill the memory run last.
 */
export default class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const toRank = ({ project, moduleId }: TestSpecification) =>
      rankFile(relative(project.config.root, moduleId).replaceAll('\\', '/'))
    return sorted.toSorted((a, b) => (a.project === b.project ? toRank(a) - toRank(b) : 0))
  }
}

/** Most of these folders start git or the command line for each test. Counting steps reads all loaded functions. */
function rankFile(path: string): number {
  if (path.endsWith('/linear-checks.test.ts')) return 0
  if (/^test\/(?:action|git)\//.test(path)) return 0
  if (/^test\/(?:cli|e2e|nightly|update)\//.test(path)) return 1
  return path.endsWith('.browser.test.ts') ? 3 : 2
}
