import { resolve } from 'node:path'
import { listDocuments } from '../../docs/read/find-docs.ts'
import { type OwnedPath, statPath } from '../../files/boundary.ts'
import { readSourceSite } from '../../site/agents/source-pages.ts'
import { readSiteAssets } from '../../site/make/assets/read-site-assets.ts'
import type { ReadSite } from '../../site/make/read-site.ts'
import { ToolError } from '../../text/errors.ts'
import { isUrl } from '../../text/plain/paths.ts'
import type { CliContext } from '../base/cli-context.ts'
import type { CommonOptions } from '../base/command-options.ts'
import { findSiteSource } from '../open/site-root.ts'
import { openWorkspace, type Workspace } from '../open/workspace.ts'
import { silent } from '../print/terminal.ts'

/** The docs directory, document or repository that agents read. */
export interface LocalDocs {
  /** The argument of the command, relative to `context.workingDirectory`. */
  readonly argument: string
  readonly options: LocalDocsOptions
  /** Paths of tools are relative to its working directory. Never writes to stdout. */
  readonly context: CliContext
  /** Opens the files as they are now. */
  readonly open: () => Workspace
  /** Reads the site. Repeated calls return the same reading until a file changes. */
  readonly read: () => Promise<LocalReading>
  /** Reads the source of the pages. @throws {ToolError} if there are none. */
  readonly readPages: () => Promise<NonNullable<ReadSite['source']>>
  /** Returns the path of a tool relative to the boundary. @throws {ToolError} for URLs. */
  readonly toInside: (path: string) => string
}

interface LocalDocsOptions extends Pick<CommonOptions, 'allowHttp'> {
  /** Whether URLs in `docs.json` are fetched. */
  readonly network: boolean
  /** Absolute. */
  readonly boundary: OwnedPath
}

interface LocalReading {
  readonly site: ReadSite
  /** Documents of a directory without a docs.json, relative to the boundary. */
  readonly loose: readonly string[]
  readonly workspace: Workspace
}

/** Opens what `argument` names. Reads nothing yet. */
export function openLocalDocs(argument: string, options: LocalDocsOptions, context: CliContext): LocalDocs {
  let known: { readonly stamp: string | undefined; readonly reading: Promise<LocalReading> } | undefined
  const open = () => openWorkspace(options.boundary, options, context, silent)
  const read = async () => {
    const workspace = open()
    const stamp = await readDocsStamp(argument, workspace, context)
    if (known && stamp !== undefined && known.stamp === stamp) return await known.reading
    const reading = readLocal(argument, workspace, context)
    known = { stamp, reading }
    // The next call tries again.
    reading.catch(() => {
      known = undefined
    })
    return await reading
  }
  return {
    argument,
    options,
    context,
    open,
    toInside(path) {
      if (isUrl(path)) throw new ToolError('Unexpected URL, expected a path. This server reads no URLs for agents')
      return open().toInside(path)
    },
    read,
    async readPages() {
      const { site, loose } = await read()
      if (site.source) return site.source
      const documents =
        loose.length === 0 ? '' : `. It has OpenAPI documents: ${loose.slice(0, 5).join(', ')}. \`list_operations\` reads them`
      throw new ToolError(`There are no pages: ${argument} has no readable docs.json${documents}`)
    },
  }
}

/** Changes with each file that a reading can depend on; `undefined` if a change could go unnoticed. */
async function readDocsStamp(argument: string, workspace: Workspace, { workingDirectory }: CliContext) {
  const { files } = workspace.access
  const stats = isUrl(argument) ? undefined : statPath(resolve(workingDirectory, argument))
  if (!stats || !files.stateOf) return undefined
  // Documents can be outside of the docs directory.
  const stamps: string[] = []
  for (const path of await files.list('')) {
    const stamp = files.stateOf(path)?.stamp
    if (stamp === undefined) return undefined
    stamps.push(`${path} ${stamp}`)
  }
  return stamps.join('\n')
}

async function readLocal(argument: string, workspace: Workspace, context: CliContext): Promise<LocalReading> {
  const { root, access, terms, madeFiles } = await findSiteSource(argument, workspace, context)
  const { paths: assets } = readSiteAssets()
  const options = { root, base: '/', url: undefined, assets, isPreview: false, ...(madeFiles && { madeFiles }) }
  const site = await readSourceSite(options, access, terms, workspace.reporting)
  const loose = site.source ? [] : (await listDocuments(root, access)).map((path) => (root === '' ? path : `${root}/${path}`))
  return { site, loose, workspace }
}
