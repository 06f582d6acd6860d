import { relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  CodeActionKind,
  type Connection,
  createConnection,
  DiagnosticSeverity,
  DidChangeWatchedFilesNotification,
  type Diagnostic as EditorDiagnostic,
  type InitializeResult,
  MarkupKind,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { type Diagnostic, diagnosticCodes, ruleNameOf, ruleUrlOf } from '../../diagnostics/diagnostic.ts'
import { renderHelp } from '../../diagnostics/format-ci.ts'
import { packageVersion } from '../../docs/config/config-files.ts'
import { type OwnedPath, resolveThroughLinks, toPathInside } from '../../files/boundary.ts'
import { toOneLine } from '../../text/plain/escape-text.ts'
import { getOrMake, groupBy } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { type Range, type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { planQuickFix } from '../open/quick-fixes.ts'
import { createEditorProject, type EditorProject, type OpenTexts, Superseded } from './editor-project.ts'

/** What the language server needs from the command. */
export interface LanguageServerOptions {
  /** Returns the boundary of a file, both absolute. */
  readonly findBoundary: (file: string) => OwnedPath
  /** Opens the files below a boundary as they are now. */
  readonly openAccess: (boundary: OwnedPath) => Parameters<typeof createEditorProject>[0]
}

/** The time without changes before a check, in ms. */
const quietMs = 250

/** Serves an editor over standard input and output. Resolves when the editor closes the connection. */
export async function runLanguageServer(options: LanguageServerOptions): Promise<void> {
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  )
  const closed = new Promise<void>((end) => {
    connection.onExit(() => end())
    process.stdin.once('end', end)
    process.stdin.once('close', end)
  })
  const server = new LanguageServer(connection, options)
  server.listen()
  await closed
  server.close()
}

class LanguageServer {
  readonly #connection: Connection
  readonly #options: LanguageServerOptions
  readonly #documents = new TextDocuments(TextDocument)
  readonly #projects = new Map<string, EditorProject>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  /** The number of the newest check by boundary. */
  readonly #checks = new Map<string, number>()
  /** The published diagnostics by boundary and URI. */
  readonly #published = new Map<string, Map<string, readonly Diagnostic[]>>()
  /** The path of the open file that changed last, by boundary. */
  readonly #newest = new Map<string, string>()
  /** The versions of the open files with the published diagnostics, by URI. */
  readonly #versions = new Map<string, number | undefined>()
  /** The files of the last check by boundary. */
  readonly #sources = new Map<string, (file: string) => SourceFile | undefined>()
  #hasWatches = false

  constructor(connection: Connection, options: LanguageServerOptions) {
    this.#connection = connection
    this.#options = options
  }

  listen(): void {
    const connection = this.#connection
    connection.onInitialize(({ capabilities }): InitializeResult => {
      this.#hasWatches = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true
      return {
        serverInfo: { name: 'openapi-pages', version: packageVersion },
        capabilities: {
          textDocumentSync: TextDocumentSyncKind.Incremental,
          hoverProvider: true,
          codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        },
      }
    })
    connection.onInitialized(() => {
      if (!this.#hasWatches) return
      const watchers = [{ globPattern: '**/*.{json,yaml,yml,md,mdx,js,cjs,mjs}' }]
      void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers })
    })
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const boundary of this.#projects.keys())
        if (changes.some(({ uri }) => this.#mayMatter(boundary, uri))) this.#scheduleCheck(boundary)
    })
    this.#documents.onDidChangeContent(({ document }) => this.#schedule(document.uri))
    this.#documents.onDidClose(({ document }) => this.#schedule(document.uri))
    connection.onHover(({ textDocument, position }) => this.#hover(textDocument.uri, position))
    connection.onCodeAction(({ textDocument, range }) => this.#quickFixes(textDocument.uri, range))
    this.#documents.listen(connection)
    connection.listen()
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    for (const boundary of this.#projects.keys()) this.#checks.set(boundary, Number.POSITIVE_INFINITY)
  }

  /** Whether a change of a file can change diagnostics. Of scripts, only those that the last check read can: the functions of rulesets. */
  #mayMatter(boundary: string, uri: string): boolean {
    if (!/\.[cm]?js$/i.test(uri)) return true
    const path = uri.startsWith('file:') ? toPathInside(boundary, fileURLToPath(uri)) : undefined
    return path !== undefined && this.#sources.get(boundary)?.(path) !== undefined
  }

  /** Finds the project of a file, and its path in there. `undefined` for files that are not on disk, such as untitled ones. */
  #open(uri: string) {
    if (!uri.startsWith('file:')) return undefined
    const file = fileURLToPath(uri)
    const boundary = this.#options.findBoundary(file)
    const project = getOrMake(this.#projects, boundary, () => createEditorProject(this.#options.openAccess(boundary)))
    return { boundary, project, path: toPathInside(boundary, file) ?? relative(boundary, file).replaceAll(sep, '/') }
  }

  #openTexts(boundary: string): OpenTexts {
    const texts = new Map<string, string>()
    for (const document of this.#documents.all()) {
      const file = this.#open(document.uri)
      if (file?.boundary === boundary) texts.set(file.path, document.getText())
    }
    return texts
  }

  #schedule(uri: string): void {
    const file = this.#open(uri)
    if (!file) return
    this.#newest.set(file.boundary, file.path)
    this.#scheduleCheck(file.boundary)
  }

  #scheduleCheck(boundary: string): void {
    // Stops a running check, whose result would be outdated.
    this.#checks.set(boundary, (this.#checks.get(boundary) ?? 0) + 1)
    clearTimeout(this.#timers.get(boundary))
    this.#timers.set(
      boundary,
      setTimeout(() => void this.#check(boundary), quietMs),
    )
  }

  async #check(boundary: string): Promise<void> {
    const number = this.#checks.get(boundary) ?? 0
    const isCurrent = () => this.#checks.get(boundary) === number
    const project = this.#projects.get(boundary)
    if (!project) return
    try {
      const show = ({ diagnostics, sourceOf }: Awaited<ReturnType<EditorProject['check']>>) => {
        if (!isCurrent()) return
        this.#sources.set(boundary, sourceOf)
        this.#publish(boundary, diagnostics)
      }
      show(await project.check(this.#openTexts(boundary), isCurrent, { newest: this.#newest.get(boundary), show }))
    } catch (error) {
      if (error instanceof Superseded) return
      this.#connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }

  #publish(boundary: string, diagnostics: readonly Diagnostic[]): void {
    const byUri = new Map<string, readonly Diagnostic[]>()
    const uris = new Map<string, string>()
    const toOpenUri = (file: string) => getOrMake(uris, file, () => toUri(boundary, file, this.#documents))
    for (const [file, found] of groupBy(diagnostics, (diagnostic) => diagnostic.file)) {
      if (!isUrl(file)) byUri.set(toOpenUri(file), found)
    }
    const before = this.#published.get(boundary)
    for (const uri of before?.keys() ?? []) {
      if (!byUri.has(uri)) void this.#connection.sendDiagnostics({ uri, diagnostics: [] })
    }
    for (const [uri, found] of byUri) {
      const version = this.#documents.get(uri)?.version
      const known = before?.get(uri)
      // What was not checked again is the same.
      const isSame = found.length === known?.length && found.every((diagnostic, index) => diagnostic === known[index])
      if (isSame && this.#versions.get(uri) === version) continue
      this.#versions.set(uri, version)
      const shown = found.map((diagnostic) => toEditorDiagnostic(diagnostic, toOpenUri))
      void this.#connection.sendDiagnostics({ uri, diagnostics: shown, ...(version !== undefined && { version }) })
    }
    this.#published.set(boundary, byUri)
  }

  /** The published problems whose range touches a range of the editor. */
  #findProblems(uri: string, range: EditorDiagnostic['range']): readonly Diagnostic[] {
    const file = this.#open(uri)
    const all = file ? (this.#published.get(file.boundary)?.get(uri) ?? []) : []
    const isBefore = (a: EditorDiagnostic['range']['start'], b: EditorDiagnostic['range']['start']) =>
      a.line < b.line || (a.line === b.line && a.character < b.character)
    return all.filter((diagnostic) => {
      const own = toEditorRange(diagnostic.range)
      return !isBefore(own.end, range.start) && !isBefore(range.end, own.start)
    })
  }

  #hover(uri: string, position: EditorDiagnostic['range']['start']) {
    const problems = this.#findProblems(uri, { start: position, end: position })
    const explanations = [...new Set(problems.map(explainProblem))]
    return explanations.length === 0 ? null : { contents: { kind: MarkupKind.Markdown, value: explanations.join('\n\n---\n\n') } }
  }

  async #quickFixes(uri: string, range: EditorDiagnostic['range']) {
    const document = this.#documents.get(uri)
    const file = this.#open(uri)
    if (!document || !file) return []
    const source = toSourceFile(file.path, new TextEncoder().encode(document.getText()))
    const actions = await Promise.all(
      this.#findProblems(uri, range).map(async (problem) => {
        const own = toEditorRange(problem.range)
        const offsets = { start: document.offsetAt(own.start), end: document.offsetAt(own.end) }
        const fix = await planQuickFix(problem, offsets, source)
        if (!fix) return []
        const edit = {
          range: { start: document.positionAt(fix.offsets.start), end: document.positionAt(fix.offsets.end) },
          newText: fix.newText,
        }
        return {
          title: fix.title,
          kind: CodeActionKind.QuickFix,
          isPreferred: fix.isProvable,
          diagnostics: [toEditorDiagnostic(problem, (path) => toUri(file.boundary, path, this.#documents))],
          edit: { changes: { [uri]: [edit] } },
        }
      }),
    )
    return actions.flat()
  }
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const

function toEditorDiagnostic(diagnostic: Diagnostic, toUriOf: (file: string) => string): EditorDiagnostic {
  const { severity, message, hint, range, related } = diagnostic
  return {
    source: 'openapi-pages',
    code: ruleNameOf(diagnostic),
    codeDescription: { href: ruleUrlOf(diagnostic) },
    severity: severities[severity],
    message: hint === undefined ? message : `${message}\n${hint}`,
    range: toEditorRange(range),
    relatedInformation: related
      .filter(({ file }) => !isUrl(file))
      .map((place) => ({ location: { uri: toUriOf(place.file), range: toEditorRange(place.range) }, message: place.message })),
  }
}

/** Editors count from 0. */
function toEditorRange({ start, end }: Range): EditorDiagnostic['range'] {
  return {
    start: { line: start.line - 1, character: start.column - 1 },
    end: { line: end.line - 1, character: end.column - 1 },
  }
}

/** The URI of a file as the editor wrote it, if it is open: editors encode URIs differently. */
function toUri(boundary: string, file: string, documents: TextDocuments<TextDocument>): string {
  const path = resolve(boundary, file)
  const open = documents.all().find(({ uri }) => {
    const opened = uri.startsWith('file:') ? resolve(fileURLToPath(uri)) : undefined
    return opened === path || (opened !== undefined && resolveThroughLinks(opened) === path)
  })
  return open?.uri ?? pathToFileURL(path).href
}

/** Explains the code or rule of a diagnostic in Markdown: its title, why it matters, and how to fix it. */
export function explainProblem(diagnostic: Pick<Diagnostic, 'code' | 'rule'>): string {
  const { code } = diagnostic
  // Names of rules are untrusted.
  const name = toOneLine(ruleNameOf(diagnostic)).replaceAll('`', "'")
  return `**${diagnosticCodes[code].title}** · [\`${name}\`](${ruleUrlOf(diagnostic)})\n\n${renderHelp(code)}`
}
