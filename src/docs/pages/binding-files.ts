import { joinPath, parentPath, withoutDocumentExtension } from '../../text/plain/paths.ts'
import type { PageBinding } from '../navigation/docs-config.ts'

/** Extensions that a binding may omit, in the order in which they are tried. */
const extensions = ['', '.json', '.yaml', '.yml']

function findAt(file: string, sources: ReadonlySet<string>): string | undefined {
  return extensions.map((extension) => file + extension).find((path) => sources.has(path))
}

/** Finds the documents that the file of a binding can mean: the one at this path, else those with this end of their path. It may omit the extension. */
export function findNamed(file: string, sources: ReadonlySet<string>): readonly string[] {
  const found = findAt(file, sources)
  if (found !== undefined) return [found]
  return [...sources].filter((source) => [source, withoutDocumentExtension(source)].some((path) => path.endsWith(`/${file}`)))
}

/** Whether the file of a binding can mean a document. */
export function canMean(file: string, source: string): boolean {
  return findNamed(file, new Set([source])).length > 0
}

/** Resolves the document of a binding relative to the docs directory, else relative to the page. */
export function resolveBindingFile(binding: PageBinding, page: string, documents: ReadonlySet<string>): PageBinding {
  const { file } = binding
  if (file === undefined) return binding
  const found = findAt(file, documents) ?? findAt(joinPath(parentPath(page), file), documents)
  return found === undefined ? binding : { ...binding, file: found }
}
