import { toFileConflict } from '../../docs/pages/generated-page.ts'
import { hashContent } from '../../files/output-folder.ts'
import { createFileClaims, toDiskKey } from '../../text/plain/paths.ts'
import type { SitePage } from '../plan/types.ts'
import type { EarlierBuild, EmitFile } from './render-memory.ts'

/** What a file of a site is made from. Without a page and a name, it is one that every site has. */
interface FileOrigin {
  readonly page?: SitePage
  readonly name?: string
}

interface CollectedFile {
  readonly path: string
  readonly origin: FileOrigin
  hash: string
}

/** A part of the output: the files from one origin. */
interface FileSink {
  readonly emit: EmitFile
  readonly keep: EarlierBuild['keep']
}

/** Collects the files of a site, each path once, and finds those that no folder can contain together. */
export function collectFiles(emit: EmitFile, keep: EarlierBuild['keep']) {
  const claims = createFileClaims<CollectedFile>()
  const conflicts: (readonly [CollectedFile, CollectedFile])[] = []
  const isSame = (file: CollectedFile, other = claims.find(file.path)) => other?.hash === file.hash && other.path === file.path
  return {
    from: (origin: FileOrigin): FileSink => ({
      emit({ path, content }) {
        const file = { path, origin, hash: '' }
        const other = claims.claim(file)
        file.hash = other ? hashContent(content) : emit({ path, content })
        if (other && !isSame(file, other) && !givesWay(file, other)) conflicts.push([file, other])
        return file.hash
      },
      keep(kept) {
        const fresh = kept.map(({ path, hash, stamp }) => ({ path, hash, stamp, origin })).filter((file) => !isSame(file))
        if (fresh.some(({ path }) => claims.find(path)) || !keep(fresh)) return false
        for (const file of fresh) claims.claim(file)
        return true
      },
    }),
    findConflicts: (toFile: (path: string) => string) =>
      conflicts.map(([file, other]) => toFileConflict([toNamed(file), toNamed(other)], toFile)),
  }
}

/** Whether a file that every site has, or a page with the URL of an earlier one, which is reported already, is left out for another file. */
function givesWay({ path, origin }: CollectedFile, other: CollectedFile): boolean {
  const isSamePath = toDiskKey(path) === toDiskKey(other.path)
  if (origin.page && other.origin.page) return isSamePath && toDiskKey(origin.page.route) === toDiskKey(other.origin.page.route)
  const isOfSite = (one: FileOrigin) => !one.page && one.name === undefined
  // `_headers` and `.nojekyll` are for hosts. An `index.html` of every site only leads to other pages.
  return isOfSite(origin) && (isOfSite(other.origin) || path.endsWith('/index.html') || (isSamePath && !/^[_.]/.test(path)))
}

function toNamed({ path, origin: { page, name } }: CollectedFile) {
  return { path, ...(page && { page: page.path ?? page.route }), ...(name !== undefined && { name }) }
}
