import { joinPath, normalizePath } from '../text/relative-path.ts'
import type { ParsedMdx } from './parsed-mdx.ts'
import type { PageRun } from './piece.ts'
import type { MdxProps } from './types.ts'

/** The snippet of `<Snippet file="name.mdx" />`, the way before imports: a file of `snippets/` or `_snippets/`. */
export function findOldSnippet({ file }: MdxProps, run: PageRun): ParsedMdx | undefined {
  if (typeof file !== 'string' || !/\.mdx?$/i.test(file)) return undefined
  for (const folder of ['snippets', '_snippets']) {
    const path = normalizePath(joinPath(run.root, `${folder}/${file}`))
    const prefix = run.root === '' ? `${folder}/` : `${run.root}/${folder}/`
    const snippet = path.startsWith(prefix) ? run.readSnippet(path) : undefined
    if (snippet) return snippet
  }
  return undefined
}
