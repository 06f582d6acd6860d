import type { SiteFile } from '../site/types.ts'
import type { EarlierBuild, EmitFile } from './earlier-build.ts'
import { hashOf } from './hash-of.ts'
import type { RememberedGroup } from './render-memory.ts'

/** Files of a site that are made of many pages, and are made again only when what they are made of has changed. */
export interface FileGroups {
  /**
   * @param name of the group among all of the build.
   * @param contents names all that the files are made of; plain data.
   * @param routes of the pages whose Markdown the one file has.
   */
  readonly add: (
    name: string,
    contents: () => unknown,
    make: () => Promise<readonly SiteFile[]>,
    routes?: readonly string[],
  ) => Promise<void>
  /** For the next build. */
  readonly remembered: () => Map<string, RememberedGroup>
}

/** @param keep takes files of the earlier build as they stand, all or none. */
export function createFileGroups(
  { stamp, memory }: Pick<EarlierBuild, 'stamp' | 'memory'>,
  keep: EarlierBuild['keep'],
  emit: EmitFile,
): FileGroups {
  const groups = new Map<string, RememberedGroup>()
  const emitAll = (made: readonly SiteFile[]) => made.map((file) => ({ path: file.path, hash: emit(file) }))
  return {
    async add(name, contents, make, routes) {
      if (stamp === '') {
        emitAll(await make())
        return
      }
      const key = hashOf([stamp, contents()])
      const known = memory.groups.get(name)
      const isKept = known?.key === key && keep(known.files)
      const files = isKept ? known.files.map(({ path, hash }) => ({ path, hash })) : emitAll(await make())
      groups.set(name, { key, files, ...(routes && { routes }) })
    },
    remembered: () => groups,
  }
}
