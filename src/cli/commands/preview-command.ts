import { spawn } from 'node:child_process'
import { countFindings, type Diagnostic, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import { ConfigError } from '../../errors.ts'
import { waitForStop } from '../../files/disk-writes.ts'
import { readSiteAssets } from '../../site/build/read-site-assets.ts'
import type { SourceOf } from '../../site/preview/preview-problems.tsx'
import type { PreviewReading } from '../../site/preview/preview-site.ts'
import { startPreview } from '../../site/preview/start-preview.ts'
import { assetType } from '../../site/render/files/file-types.ts'
import { escapeText, toOneLine } from '../../source/escape-text.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { addSharedOptions, type CommonOptions, type DefineCommand } from '../command-options.ts'
import { printDiagnostics } from '../print-diagnostics.ts'
import { findSiteSource } from '../site-root.ts'
import { createProgress } from '../terminal.ts'
import { chooseBoundary, openWorkspace } from '../workspace.ts'

interface PreviewCommandOptions extends Omit<CommonOptions, 'format'> {
  readonly port?: string
  readonly host?: string
  /** Open a browser. */
  readonly open: boolean
}

/** The options, help and action of `preview`. */
export const definePreviewCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Serves the site of a folder on this machine. Pages are rendered when you look at them and change as their files do; what is wrong is ' +
        'shown in the page and here, and the site stays as it was until it is repaired. Nothing of the repository is run, and nothing is written.',
    )
    .option('-p, --port <number>', 'the port; where it is taken the next free one, 0 for any (default: 3000)')
    .option('--host <address>', 'listen on another address, such as 0.0.0.0 for your whole network (default: this machine alone)')
    .option('--open', 'open a browser', false)
  addSharedOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages preview
  openapi-pages preview docs --open
  openapi-pages preview openapi.yaml         a document without a docs.json`,
    )
    .action(async (root: string, options: PreviewCommandOptions) => {
      end(await runPreviewCommand(root, options, context))
    })
}

/** Serves the site of a docs directory until it is stopped. */
async function runPreviewCommand(argument: string, options: PreviewCommandOptions, context: CliContext): Promise<ExitCode> {
  const { stdout } = context
  const port = readPort(options.port)
  const host = options.host ?? '127.0.0.1'
  const progress = createProgress(context.stderr, options.quiet)
  const workspace = openWorkspace(chooseBoundary(argument, options, context), options, context, progress)
  let latest = await findSiteSource(argument, workspace, context)
  const { root, madeFiles } = latest
  // Editors may remove a document for a moment while they save it. The next reading reports missing files.
  const open = async () => {
    try {
      latest = await findSiteSource(argument, workspace, context)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
    }
    return latest.environment
  }
  const assets = readSiteAssets()
  const told = new Set<string>()
  const toldOfPages = new Map<string, ReadonlySet<string>>()
  const print = async (diagnostics: readonly Diagnostic[], sourceOf: SourceOf) => {
    progress.clear()
    const isTold = (key: string) => told.has(key) || [...toldOfPages.values()].some((keys) => keys.has(key))
    const fresh = diagnostics.filter((one) => !isTold(keyOf(one)) && (options.all || one.severity !== 'info'))
    const shown = await workspace.show(fresh, sourceOf)
    await printDiagnostics(stdout, shown, options, context)
  }
  let errorsBefore = 0
  const onReading = async (reading: PreviewReading, changed: readonly string[]) => {
    const now = new Set(reading.diagnostics.map(keyOf))
    // A problem that was fixed and comes back is printed again.
    for (const key of told) if (!now.has(key)) told.delete(key)
    const printed = print(reading.diagnostics, reading.sourceOf)
    for (const key of now) told.add(key)
    await printed
    const { errors } = countFindings(reading.diagnostics)
    const parts = changed.filter(isDocsFile)
    if (!options.quiet && parts.length > 0) stdout.write(describeChange(parts, errors, errorsBefore))
    errorsBefore = errors
  }
  const stopped = waitForStop()
  const preview = await startPreview(
    {
      root,
      ...(madeFiles && { madeFiles }),
      assets: assets.paths,
      host,
      port,
      // A document may refer to files above its folder.
      watched: workspace.boundary,
      files: { site: assets.files, preview: assets.preview },
      onReading: (reading, changed) => void onReading(reading, changed),
      onPage: ({ route, found, sourceOf }) => {
        void print(found, sourceOf)
        // What others change says nothing about this page.
        toldOfPages.set(route, new Set(found.map(keyOf)))
      },
    },
    open,
  ).catch((error: NodeJS.ErrnoException) => {
    throw toConfigError(error, host, port)
  })
  const address = `http://${toShownHost(host)}:${preview.port}/`
  if (port !== 0 && preview.port !== port) context.stderr.write(`port ${port} is taken, so the preview is at ${preview.port}\n`)
  stdout.write(`Preview of ${escapeText(toOneLine(argument))} at ${address}\n`)
  if (!options.quiet) stdout.write('Pages change as their files do. Stop it with Ctrl-C.\n\n')
  if (options.open) openBrowser(address, () => context.stderr.write(`cannot open a browser here: open ${address} yourself\n`))
  await preview.ready
  await stopped
  await preview.close()
  return 0
}

function keyOf({ file, range, code, message }: Diagnostic): string {
  return JSON.stringify([file, range.start, code, message])
}

/**
 * Whether a change of the file is news. Documents may have any name, so that everything is read again; but of a log that this very output is written to,
 * and of what editors write for a moment, nothing is said: each line would be the next change.
 */
function isDocsFile(path: string): boolean {
  const type = assetType(path)
  return /\.(?:mdx?|json|ya?ml)$/i.test(path) || type === 'inert' || type === 'svg'
}

function describeChange(changed: readonly string[], errors: number, before: number): string {
  const [first = '', ...more] = changed
  const what = `${escapeText(toOneLine(first))}${more.length > 0 ? ` and ${formatCount(more.length, 'more file')}` : ''}`
  if (errors > 0) return `✖ ${what} changed: ${formatCounts({ errors, warnings: 0, infos: 0 })}\n`
  return `✔ ${what} changed${before > 0 ? ', all errors are repaired' : ''}\n`
}

function readPort(text: string | undefined): number {
  const port = text === undefined ? 3000 : /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 0 && port <= 65_535) return port
  throw new ConfigError(`cannot use ${text} as --port: expected a number from 0 to 65535`)
}

/** A host for a URL that people can open. */
function toShownHost(host: string): string {
  if (host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function toConfigError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new ConfigError(`cannot listen: port ${port} and the ${formatCount(20, 'port')} after it are taken`, {
      hint: 'Name another with --port, or 0 for any.',
    })
  }
  if (error.code === 'EACCES')
    return new ConfigError(`cannot listen on port ${port}: permission denied`, { hint: 'Name one from 1024 on with --port.' })
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ConfigError(`cannot listen on ${host}: it is no address of this machine`)
  return error
}

/** Opens a URL of the preview in the user's browser; calls `onFailure` if there is none. */
function openBrowser(address: string, onFailure: () => void): void {
  const [program = '', ...words] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['explorer.exe'] : ['xdg-open']
  const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true })
  child.once('error', onFailure)
  // Windows' own program ends with 1 when all went well.
  if (process.platform !== 'win32') child.once('exit', (code) => code !== 0 && onFailure())
  child.unref()
}
