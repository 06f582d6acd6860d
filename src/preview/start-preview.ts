import type { ReadSiteOptions } from '../builder/read-site.ts'
import { watchFolder } from '../files/watch-folder.ts'
import { createAnswers, type PreviewFiles } from './create-answers.ts'
import { startPreviewServer } from './preview-server.ts'
import { createPreviewSite, type OpenEnvironment, type PreviewPage, type PreviewReading } from './preview-site.ts'

export interface PreviewOptions extends Pick<ReadSiteOptions, 'root' | 'assets' | 'madeFiles'> {
  readonly host: string
  readonly port: number
  /** The folder whose files are watched, absolute. */
  readonly watched: string
  readonly files: PreviewFiles
  /** Told each reading with the paths that had changed before it, relative to the watched folder; none for the first. */
  readonly onReading: (reading: PreviewReading, changed: readonly string[]) => void
  /** Told each page that somebody looks at. */
  readonly onPage: (page: PreviewPage) => void
}

export interface Preview {
  readonly port: number
  /** Ends with the first reading. */
  readonly ready: Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Serves a docs root as its site would be, and tells open pages when its files change. Listens before anything is read.
 *
 * @throws what `node:net` throws where no port can be had.
 */
export async function startPreview(options: PreviewOptions, openEnvironment: OpenEnvironment): Promise<Preview> {
  const { root, assets, madeFiles, host, port, watched, files, onReading, onPage } = options
  const reading = { root, assets, base: '/', url: undefined, isPreview: true, ...(madeFiles && { madeFiles }) }
  const site = createPreviewSite(reading, openEnvironment)
  const state = { version: 0 }
  const answer = createAnswers({ site, files, assets, onPage, version: () => String(state.version) })
  const server = await startPreviewServer({ host, port, answer })
  const watch = watchFolder(watched, (changed) => {
    void site.refresh().then((reading) => {
      state.version++
      onReading(reading, changed)
      server.announce(String(state.version))
    })
  })
  return {
    port: server.port,
    ready: site.reading().then((reading) => onReading(reading, [])),
    async close() {
      watch.close()
      await server.close()
    },
  }
}
