import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { isUrl } from '../../text/plain/paths.ts'
import type { Survey } from '../check/survey-docs-directory.ts'
import type { LockedPage } from '../pages/lock-file.ts'
import type { DeclaredDivision } from '../pages/subjects.ts'
import type { PageOutcome } from '../plan/plan-file-changes.ts'
import type { CheckedDocument, GitFacts } from '../types.ts'

/** A larger part of the pages of a division needs a confirmation. */
const removedPart = 1 / 3
const fewestRemoved = 5

/**
 * Reports each division that would lose many pages because a document at a URL or in another repository lacks their operations: it can be
 * incomplete, and nobody reviewed it.
 *
 * @param isStored whether a file is a copy from another repository.
 */
export function findMassRemovals(
  { documents, docsConfig }: Pick<Survey, 'documents' | 'docsConfig'>,
  divisions: readonly DeclaredDivision[],
  { outcomes, lockedPages }: { readonly outcomes: readonly PageOutcome[]; readonly lockedPages: readonly LockedPage[] },
  isStored: (path: string) => boolean,
): Finding[] {
  const isRemote = ({ check }: CheckedDocument) => [...check.sources.keys()].some((path) => isUrl(path) || isStored(path))
  const remote = new Set(documents.filter(isRemote).map(({ source }) => source))
  const isRemoved = new Set(
    outcomes.flatMap(({ kind, path, document, edit }) =>
      kind === 'removed' && edit?.kind === 'delete' && remote.has(document) ? [path] : [],
    ),
  )
  return divisions.flatMap(({ lockedId, label, pointer, sources }): Finding | [] => {
    const pages = lockedPages.filter(({ division, hash }) => division === lockedId && hash !== undefined)
    // A document that `docs.json` no longer names was removed by a person.
    const named = new Set(sources.map(({ source }) => source))
    const removed = pages.filter(({ path, document }) => isRemoved.has(path) && named.has(document))
    if (removed.length < fewestRemoved || removed.length <= pages.length * removedPart) return []
    const from = [...new Set(removed.map(({ document }) => `\`${document}\``))].join(', ')
    return {
      code: 'mass-removal',
      message: `Nothing was updated: ${removed.length} of ${formatCount(pages.length, 'page')}${label === '' ? '' : ` of \`${label}\``} would be removed, because ${from} no longer has their operations`,
      file: docsConfig?.source.path ?? '',
      pointer: pointer ?? '',
      hint: 'Check the document. To remove the pages, run `openapi-pages update --remove`, or set `update.remove: true` in the configuration file or `remove: true` in the Action',
    }
  })
}

/** Reports pages that Git leaves out of the work tree. They would count as deleted. */
export async function findLeftOutPages(
  { root, docsConfig }: Pick<Survey, 'root' | 'docsConfig'>,
  git: GitFacts | undefined,
): Promise<Finding[]> {
  const leftOut = ((await git?.findLeftOut?.(root)) ?? []).filter((path) => /\.mdx?$/i.test(path))
  const [first] = leftOut
  if (first === undefined) return []
  const more = leftOut.length === 1 ? '' : ` and ${formatCount(leftOut.length - 1, 'other page')}`
  return [
    {
      code: 'pages-left-out',
      message: `Nothing was updated: the sparse checkout leaves out \`${first}\`${more}`,
      file: docsConfig?.source.path ?? '',
      pointer: '',
      hint: `Add the docs directory with \`git sparse-checkout add ${root || '.'}\`, or check out all files with \`git sparse-checkout disable\``,
    },
  ]
}
