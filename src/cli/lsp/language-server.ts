import { relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  CodeActionKind,
  CompletionItemKind,
  type Connection,
  createConnection,
  DiagnosticSeverity,
  DidChangeWatchedFilesNotification,
  type Diagnostic as EditorDiagnostic,
  ErrorCodes,
  type InitializeResult,
  MarkupKind,
  ProposedFeatures,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  SymbolKind,
  TextDocumentSyncKind,
  TextDocuments,
  type TextEdit,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { type Diagnostic, ruleNameOf, ruleUrlOf } from '../../diagnostics/diagnostic.ts'
import { isDocsConfigPath } from '../../docs-config/config-files.ts'
import { ConfigError } from '../../errors.ts'
import { resolveThroughLinks, toPathInside } from '../../files/boundary.ts'
import { splitReference } from '../../openapi/uri.ts'
import { parsePointer } from '../../source/json-pointer.ts'
import { type Range, toLineStarts, toRange } from '../../source/position.ts'
import { isUrl } from '../../source/relative-path.ts'
import { type SourceFile, toSourceFile } from '../../source/source-file.ts'
import { packageVersion } from '../../update/package-version.ts'
import { planQuickFix } from '../documents/quick-fixes.ts'
import { type Completion, type CompletionSources, completeDocsConfig, completeFrontmatter } from './completions.ts'
import { createEditorProject, type EditorProject, type OpenTexts, Superseded } from './editor-project.ts'
import { explainField, explainProblem, readRelease } from './explain.ts'
import { parseValueTree, type ValueTree } from './locate-value.ts'
import { findRenamed, planRename } from './rename-operation.ts'

/** What the language server needs from the command. */
export interface LanguageServerOptions {
  /** Returns the boundary of a file, both absolute. */
  readonly findBoundary: (file: string) => string
  /** Opens the files below a boundary as they are now. */
  readonly openEnvironment: (boundary: string) => Parameters<typeof createEditorProject>[0]
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

/** A file of the editor. */
interface EditorFile {
  readonly boundary: string
  readonly project: EditorProject
  /** Relative to the boundary. */
  readonly path: string
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
  readonly #trees = new WeakMap<TextDocument, { readonly version: number; readonly tree: ValueTree | undefined }>()
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
          completionProvider: { triggerCharacters: ['"', '/', ' '] },
          definitionProvider: true,
          documentSymbolProvider: true,
          renameProvider: { prepareProvider: true },
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
    connection.onCompletion(({ textDocument, position }) => this.#complete(textDocument.uri, position))
    connection.onDefinition(({ textDocument, position }) => this.#findDefinition(textDocument.uri, position))
    connection.onDocumentSymbol(({ textDocument }) => this.#listSymbols(textDocument.uri))
    connection.onPrepareRename(({ textDocument, position }) => this.#prepareRename(textDocument.uri, position))
    connection.onRenameRequest(({ textDocument, position, newName }) => this.#rename(textDocument.uri, position, newName))
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

  /** `undefined` for files that are not on disk, such as untitled ones. */
  #open(uri: string): EditorFile | undefined {
    if (!uri.startsWith('file:')) return undefined
    const file = fileURLToPath(uri)
    const boundary = this.#options.findBoundary(file)
    let project = this.#projects.get(boundary)
    if (!project) {
      project = createEditorProject(this.#options.openEnvironment(boundary))
      this.#projects.set(boundary, project)
    }
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
    if (file) this.#scheduleCheck(file.boundary)
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
      const { diagnostics, sourceOf } = await project.check(this.#openTexts(boundary), isCurrent)
      if (!isCurrent()) return
      this.#sources.set(boundary, sourceOf)
      this.#publish(boundary, diagnostics)
    } catch (error) {
      if (error instanceof Superseded) return
      this.#connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }

  #publish(boundary: string, diagnostics: readonly Diagnostic[]): void {
    const byUri = new Map<string, Diagnostic[]>()
    for (const diagnostic of diagnostics) {
      if (isUrl(diagnostic.file)) continue
      const uri = toUri(boundary, diagnostic.file, this.#documents)
      byUri.set(uri, [...(byUri.get(uri) ?? []), diagnostic])
    }
    for (const uri of this.#published.get(boundary)?.keys() ?? []) {
      if (!byUri.has(uri)) void this.#connection.sendDiagnostics({ uri, diagnostics: [] })
    }
    for (const [uri, found] of byUri) {
      const version = this.#documents.get(uri)?.version
      const shown = found.map((diagnostic) => toEditorDiagnostic(diagnostic, (file) => toUri(boundary, file, this.#documents)))
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

  #tree(document: TextDocument): ValueTree | undefined {
    const known = this.#trees.get(document)
    if (known?.version === document.version) return known.tree
    const tree = /\.(?:json|ya?ml)$/i.test(document.uri) ? parseValueTree(document.getText()) : undefined
    this.#trees.set(document, { version: document.version, tree })
    return tree
  }

  #hover(uri: string, position: EditorDiagnostic['range']['start']) {
    const document = this.#documents.get(uri)
    if (!document) return null
    const problems = this.#findProblems(uri, { start: position, end: position })
    const codes = [...new Set(problems.map(explainProblem))]
    const tree = this.#tree(document)
    const place = tree?.at(document.offsetAt(position))
    const field = tree && place && explainField(tree, place)
    const parts = [...(field === undefined ? [] : [field]), ...codes]
    return parts.length === 0 ? null : { contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n---\n\n') } }
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
          isPreferred: true,
          diagnostics: [toEditorDiagnostic(problem, (path) => toUri(file.boundary, path, this.#documents))],
          edit: { changes: { [uri]: [edit] } },
        }
      }),
    )
    return actions.flat()
  }

  async #complete(uri: string, position: EditorDiagnostic['range']['start']) {
    const document = this.#documents.get(uri)
    const file = this.#open(uri)
    if (!document || !file) return []
    const offset = document.offsetAt(position)
    const isConfig = isDocsConfigPath(file.path)
    if (!isConfig && !/\.mdx?$/.test(file.path)) return []
    const sources = await this.#readSources(file)
    const complete = isConfig ? completeDocsConfig : completeFrontmatter
    return complete(document.getText(), offset, sources).map(({ label, kind, detail, newText, offsets }) => ({
      label,
      kind: completionKinds[kind],
      ...(detail !== undefined && { detail }),
      // The typed part includes the quotes and the file of a binding.
      filterText: newText,
      textEdit: { range: { start: document.positionAt(offsets.start), end: document.positionAt(offsets.end) }, newText },
    }))
  }

  async #readSources({ project, path, boundary }: EditorFile): Promise<CompletionSources> {
    const plan = await project.survey(path, this.#openTexts(boundary))
    if (!plan) return { pages: [], documents: [], bindings: [] }
    const { docsFiles, bindableDocuments } = plan.survey
    const operations = bindableDocuments.flatMap(({ source, description }) => [
      ...(description?.operations ?? []).map(({ method, pathTemplate, summary }) => ({
        source,
        target: `${method.toUpperCase()} ${pathTemplate}`,
        summary,
      })),
      ...(description?.webhooks ?? []).map(({ name, operations: [first] }) => ({
        source,
        target: `webhook ${name}`,
        summary: first?.summary,
      })),
    ])
    const shared = new Set(operations.map(({ target }) => target).filter((target, index, all) => all.indexOf(target) !== index))
    return {
      pages: [...docsFiles.pages.keys()].map((page) => page.replace(/\.mdx?$/, '')),
      documents: docsFiles.documents.filter((document) => !isDocsConfigPath(document)),
      bindings: operations.map(({ source, target, summary }) => ({
        text: shared.has(target) ? `${source} ${target}` : target,
        summary,
      })),
    }
  }

  async #findDefinition(uri: string, position: EditorDiagnostic['range']['start']) {
    const document = this.#documents.get(uri)
    const file = this.#open(uri)
    const place = document && this.#tree(document)?.at(document.offsetAt(position))
    if (!file || place?.on !== 'value' || place.path.at(-1) !== '$ref' || place.text === undefined) return null
    const target = splitReference(place.text, file.path)
    if (target.kind !== 'file' || isUrl(target.path)) return null
    const { files } = file.project.environment(this.#openTexts(file.boundary))
    const result = await files.read(target.path)
    if (result.kind !== 'file') return null
    const { text } = toSourceFile(target.path, result.bytes)
    const tree = parseValueTree(text)
    const path = parsePointer(target.fragment)
    const key = tree?.entries(path.slice(0, -1)).find((entry) => entry.key.text === path.at(-1))?.key
    const offsets = key?.offsets ?? { start: 0, end: 0 }
    const range = toEditorRange(toRange(toLineStarts(text), offsets))
    return { uri: toUri(file.boundary, target.path, this.#documents), range }
  }

  #listSymbols(uri: string) {
    const document = this.#documents.get(uri)
    const tree = document && this.#tree(document)
    if (!document || !tree || readRelease(tree.value) === undefined) return []
    const toSymbol = (name: string, kind: SymbolKind, entry: ReturnType<ValueTree['entries']>[number]) => {
      const selectionRange = toPositions(document, entry.key.offsets)
      const end = document.positionAt(Math.max(entry.value.end, entry.key.offsets.end))
      return { name: name === '' ? '""' : name, kind, selectionRange, range: { start: selectionRange.start, end } }
    }
    const operations = tree.entries(['paths']).flatMap((pathItem) =>
      tree
        .entries(pathItem.key.path)
        .filter(({ key }) => /^(?:get|put|post|delete|options|head|patch|trace|query)$/.test(key.text ?? ''))
        .map((entry) => toSymbol(`${entry.key.text?.toUpperCase()} ${pathItem.key.text}`, SymbolKind.Method, entry)),
    )
    const webhooks = tree.entries(['webhooks']).map((entry) => toSymbol(`webhook ${entry.key.text}`, SymbolKind.Event, entry))
    const components = tree
      .entries(['components'])
      .flatMap(({ key }) => tree.entries(key.path).map((entry) => toSymbol(entry.key.text ?? '', SymbolKind.Class, entry)))
    return [...operations, ...webhooks, ...components]
  }

  #findRenamed(uri: string, position: EditorDiagnostic['range']['start']) {
    const document = this.#documents.get(uri)
    const place = document && this.#tree(document)?.at(document.offsetAt(position))
    const renamed = document && place && findRenamed(document.getText(), place)
    return document && renamed ? { document, renamed } : undefined
  }

  #prepareRename(uri: string, position: EditorDiagnostic['range']['start']) {
    const found = this.#findRenamed(uri, position)
    return found ? { range: toPositions(found.document, found.renamed.offsets), placeholder: found.renamed.name } : null
  }

  async #rename(uri: string, position: EditorDiagnostic['range']['start'], newName: string) {
    const found = this.#findRenamed(uri, position)
    const file = this.#open(uri)
    if (!found || !file) return null
    const open = this.#openTexts(file.boundary)
    const { files } = file.project.environment(open)
    const plan = await file.project.survey(file.path, open)
    const named = plan?.survey.bindableDocuments.filter(({ check }) => check.sources.has(file.path)) ?? []
    // Without a docs.json that names the document, there are no pages to change.
    const documents = named.length > 0 ? (plan?.survey.bindableDocuments ?? []) : await file.project.documentsOf(file.path, open)
    const root = named.length > 0 ? plan?.survey.root : undefined
    try {
      const changes = await planRename(found.renamed, file.path, newName, { root, documents, files })
      const edits = new Map<string, TextEdit[]>()
      for (const change of changes) {
        const target = toUri(file.boundary, change.file, this.#documents)
        const range = toEditorRange(toRange(toLineStarts(change.text), change.offsets))
        edits.set(target, [...(edits.get(target) ?? []), { range, newText: change.newText }])
      }
      return { changes: Object.fromEntries(edits) }
    } catch (error) {
      if (error instanceof ConfigError) throw new ResponseError(ErrorCodes.InvalidRequest, `Cannot rename: ${error.message}`)
      throw error
    }
  }
}

const completionKinds: { readonly [kind in Completion['kind']]: CompletionItemKind } = {
  key: CompletionItemKind.Property,
  page: CompletionItemKind.File,
  document: CompletionItemKind.File,
  operation: CompletionItemKind.Method,
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

function toPositions(document: TextDocument, { start, end }: { readonly start: number; readonly end: number }) {
  return { start: document.positionAt(start), end: document.positionAt(end) }
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
