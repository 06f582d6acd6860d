import { runCheck } from '../../docs/check/run-check.ts'
import type { CheckLinks } from '../../docs/check/survey-docs-directory.ts'
import { filterDocuments, hasDocsConfig, listDocsDirectories, listDocuments } from '../../docs/read/find-docs.ts'
import type { CheckReport, DocsAccess } from '../../docs/types.ts'
import { type Files, overlayFiles } from '../../files/files.ts'
import { baseName, parentPath } from '../../text/plain/paths.ts'

/** The texts of open files by path relative to the boundary. They replace the files on disk. */
export type OpenTexts = ReadonlyMap<string, string>

/** A check that a newer text has made useless. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
}

/** Documents that are searched for a reference to an open file. */
const maxSearched = 50

/** The files of one boundary, as an editor sees them. Paths are relative to the boundary. */
export type EditorProject = ReturnType<typeof createEditorProject>

export function createEditorProject(openAccess: () => DocsAccess) {
  /** The documents that reference a file, by its path. */
  const owners = new Map<string, readonly string[]>()
  const accessTo = (open: OpenTexts, isCurrent: () => boolean): DocsAccess => {
    const access = openAccess()
    const files = overlayFiles(access.files, new Map([...open].map(([path, text]) => [path, new TextEncoder().encode(text)])))
    const read: Files['read'] = async (path, limitBytes) => {
      if (!isCurrent()) throw new Superseded()
      return await files.read(path, limitBytes)
    }
    return { ...access, files: { read, list: files.list } }
  }
  const findOwners = async (path: string, files: Files): Promise<readonly string[]> => {
    const known = owners.get(path)
    if (known) return known
    const name = baseName(path)
    const found: string[] = []
    for (const document of (await listDocuments('', { files })).slice(0, maxSearched)) {
      const result = await files.read(document)
      if (result.kind === 'file' && new TextDecoder().decode(result.bytes).includes(name)) found.push(document)
    }
    owners.set(path, found)
    return found
  }
  return {
    /** Checks the docs directories and documents that the open files belong to. @throws {Superseded} if `isCurrent` becomes false. */
    async check(open: OpenTexts, isCurrent: () => boolean): Promise<Pick<CheckReport, 'diagnostics' | 'sourceOf'>> {
      const access = accessTo(open, isCurrent)
      const { files } = access
      const roots = new Set<string>()
      for (const path of open.keys()) for (const root of await findRoots(path, files)) roots.add(root)
      const checkSite: CheckLinks = async (...terms) => {
        const { checkLinks } = await import('../../site/make/links/scan-links.ts')
        return await checkLinks(...terms, (parts) => parts.some((path) => open.has(path)))
      }
      const first = await runCheck({ entries: [...roots], checkLinks: checkSite }, access)
      const left = [...open.keys()].filter((path) => /\.(?:json|ya?ml)$/i.test(path) && first.sourceOf(path) === undefined)
      const documents = await filterDocuments('', left, files)
      const parts = left.filter((path) => !documents.includes(path))
      const others = await Promise.all(parts.map((path) => findOwners(path, files)))
      const entries = [...new Set([...documents, ...others.flat()])]
      if (entries.length === 0) return first
      const second = await runCheck({ entries }, access)
      return {
        diagnostics: [...first.diagnostics, ...second.diagnostics],
        sourceOf: (file) => first.sourceOf(file) ?? second.sourceOf(file),
      }
    },
  }
}

/** The docs directory around a file; else all of the boundary, which can name the file. */
async function findRoots(path: string, files: Files): Promise<readonly string[]> {
  for (let folder = parentPath(path); ; folder = parentPath(folder)) {
    if (await hasDocsConfig(folder, files)) return [folder]
    if (folder === '') break
  }
  const roots: string[] = []
  for (const root of await listDocsDirectories('', files)) if (await hasDocsConfig(root, files)) roots.push(root)
  return roots
}
