import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { countFindings, type Diagnostic, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import { docsConfigNames } from '../../docs/config/config-files.ts'
import { describeStopped } from '../../docs/update/update-results.ts'
import { waitForStop } from '../../files/disk-writes.ts'
import { readSiteAssets } from '../../site/make/assets/read-site-assets.ts'
import { assetType } from '../../site/plan/file-types.ts'
import { type PreviewOptions, startPreview } from '../../site/preview/start-preview.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText, toOneLine } from '../../text/plain/escape-text.ts'
import { joinPath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { addSharedOptions, type CommonOptions, type DefineCommand } from '../base/command-options.ts'
import { addDocumentOptions, type DocumentOptions } from '../open/filter-document.ts'
import { openSite } from '../open/site-root.ts'
import { printDiagnostics } from '../print/terminal.ts'
import { readKnownProblems } from './build-command.ts'

interface PreviewCommandOptions extends Omit<CommonOptions, 'format'>, DocumentOptions {
  readonly port?: string
  readonly host?: string
  /** Open a browser. */
  readonly open: boolean
}

/** The options of `preview`. */
export const definePreviewCommand: DefineCommand = (command) => {
  command
    .option('-p, --port <number>', 'port to listen on, 0 for any; if taken, the next free port is used (default: 3000)')
    .option('--host <address>', 'address to listen on, such as 0.0.0.0 for the whole network (default: localhost only)')
    .option('--open', 'open the site in a browser', false)
  addDocumentOptions(command)
  addSharedOptions(command)
  return runPreviewCommand
}

/** Serves the site of a docs directory until the process is stopped. */
async function runPreviewCommand(given: string, options: PreviewCommandOptions, context: CliContext): Promise<ExitCode> {
  const port = readPort(options.port)
  const host = options.host ?? '127.0.0.1'
  const opened = await openSite(given, 'preview', options, context)
  if (!opened) return 2
  const { source, workspace, progress } = opened
  if ((await source.access.files.read(joinPath(source.root, docsConfigNames[0]), 0)).kind === 'missing') {
    const hint = 'Run `openapi-pages init`, or name an OpenAPI document'
    throw new ConfigError(`cannot preview ${opened.argument}: it has no ${docsConfigNames[0]}`, { hint })
  }
  const { stdout } = context
  let latest = opened.source
  // Some editors briefly remove a file while saving. Missing files are reported on the next read.
  const open = async () => {
    try {
      latest = await opened.readAgain()
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
    }
    return latest
  }
  const assets = readSiteAssets()
  const printed = new Set<string>()
  const printedForPages = new Map<string, ReadonlySet<string>>()
  const print = async (diagnostics: readonly Diagnostic[], sourceOf: (file: string) => SourceFile | undefined) => {
    progress.clear()
    const isPrinted = (key: string) => printed.has(key) || [...printedForPages.values()].some((keys) => keys.has(key))
    const isNew = (diagnostic: Diagnostic) => !isPrinted(keyOf(diagnostic)) && (options.all || diagnostic.severity !== 'info')
    const shown = await workspace.show(diagnostics.filter(isNew), sourceOf)
    await printDiagnostics(stdout, shown, options, context)
  }
  let errorsBefore = 0
  const onReading: PreviewOptions['onReading'] = async (reading, changed) => {
    const now = new Set(reading.diagnostics.map(keyOf))
    // Print a fixed problem again if it comes back.
    for (const key of printed) if (!now.has(key)) printed.delete(key)
    const { root, access } = latest
    const isKnown = await readKnownProblems(reading, root, access)
    const open = reading.diagnostics.filter((diagnostic) => !isKnown(diagnostic))
    const printing = print(open, reading.sourceOf)
    for (const key of now) printed.add(key)
    await printing
    const stopped = describeStopped(reading.documents, workspace.toShown)
    if (stopped && !options.quiet) stdout.write(`! ${escapeText(stopped.text)}\n`)
    const { errors } = countFindings(open)
    const docsFiles = changed.filter(isDocsFile)
    if (!options.quiet && docsFiles.length > 0) stdout.write(describeChange(docsFiles, errors, errorsBefore))
    errorsBefore = errors
  }
  const stopped = waitForStop()
  const preview = await startPreview(
    {
      ...opened.toOptions(assets.stamp),
      assets: assets.paths,
      host,
      port,
      // A document may reference files above its folder.
      watched: workspace.boundary,
      files: { site: [...assets.files, ...assets.readDiagrams()], preview: assets.preview },
      onReading: (reading, changed) => void onReading(reading, changed),
      onPage: ({ route, found, sourceOf }) => {
        void print(found, sourceOf)
        // Changes to other files do not clear the diagnostics of this page.
        printedForPages.set(route, new Set(found.map(keyOf)))
      },
    },
    open,
    workspace.reporting,
  ).catch((error: NodeJS.ErrnoException) => {
    throw toConfigError(error, host, port)
  })
  const url = `http://${toShownHost(host)}:${preview.port}/`
  if (port !== 0 && preview.port !== port) context.stderr.write(`Port ${port} is in use, using ${preview.port} instead\n`)
  stdout.write(`Preview of ${escapeText(toOneLine(opened.argument))} at ${url}\n`)
  if (!options.quiet) stdout.write('Pages reload when their files change. Press Ctrl-C to stop.\n\n')
  if (options.open) openBrowser(url, () => context.stderr.write(`Cannot open a browser. Open ${url} yourself\n`))
  await preview.ready
  await stopped
  await preview.close()
  return 0
}

function keyOf({ file, range, code, message }: Diagnostic): string {
  return JSON.stringify([file, range.start, code, message])
}

/**
 * Whether to print a change of the file. Temporary files of editors and log files are skipped: if this output is redirected to a watched
 * file, each line would trigger the next.
 */
function isDocsFile(path: string): boolean {
  const type = assetType(path)
  return /\.(?:mdx?|json|ya?ml)$/i.test(path) || type === 'inert' || type === 'svg'
}

function describeChange(changed: readonly string[], errors: number, before: number): string {
  const [first = '', ...more] = changed
  const what = `${escapeText(toOneLine(first))}${more.length > 0 ? ` and ${formatCount(more.length, 'more file')}` : ''}`
  if (errors > 0) return `✖ ${what} changed: ${formatCounts({ errors, warnings: 0, infos: 0 })}\n`
  return `✔ ${what} changed${before > 0 ? ', all errors fixed' : ''}\n`
}

function readPort(text: string | undefined): number {
  const port = text === undefined ? 3000 : /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 0 && port <= 65_535) return port
  throw new ConfigError(`cannot use ${text} as --port: expected a number from 0 to 65535`)
}

/** Returns a host for a URL that works in a browser. */
function toShownHost(host: string): string {
  if (host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function toConfigError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new ConfigError(`cannot listen: port ${port} and the next ${formatCount(20, 'port')} are in use`, {
      hint: 'Choose another port with --port, or use --port 0',
    })
  }
  if (error.code === 'EACCES')
    return new ConfigError(`cannot listen on port ${port}: permission denied`, { hint: 'Choose a port above 1023 with --port' })
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ConfigError(`cannot listen on ${host}: it is not an address of this machine`)
  return error
}

/** Opens a URL of the preview in the user's browser; calls `onFailure` if there is none. */
function openBrowser(url: string, onFailure: () => void): void {
  const [program = '', ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['explorer.exe'] : ['xdg-open']
  const child = spawn(program, [...args, url], {
    // Windows looks for programs in the working directory first, which can be the repository.
    cwd: dirname(process.execPath),
    stdio: 'ignore',
    detached: true,
  })
  child.once('error', onFailure)
  // explorer.exe exits with 1 on success.
  if (process.platform !== 'win32') child.once('exit', (code) => code !== 0 && onFailure())
  child.unref()
}
