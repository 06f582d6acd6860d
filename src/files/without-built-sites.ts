import { parentPath } from '../text/relative-path.ts'
import type { Files } from './files.ts'
import { manifestName } from './output-folder.ts'

/** Files as if the sites that were built among them were not there: what is in one is no page of the next. */
export function withoutBuiltSites(files: Files): Files {
  return {
    read: files.read,
    list: async (folder) => {
      const paths = await files.list(folder)
      const sites = paths.filter((path) => path.endsWith(`/${manifestName}`)).map((path) => `${parentPath(path)}/`)
      return sites.length === 0 ? paths : paths.filter((path) => !sites.some((site) => path.startsWith(site)))
    },
  }
}
