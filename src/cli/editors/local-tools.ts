import { resolve } from 'node:path'
import { Type } from 'typebox'
import { type Change, compareAttention, countChanges, describeLevel } from '../../changes/change.ts'
import { formatLevels, formatOperation } from '../../changes/show/changes-text.ts'
import { countFindings, type Diagnostic, formatCount, formatCounts, ruleNameOf } from '../../diagnostics/diagnostic.ts'
import { checkEntryDocument, runCheck } from '../../docs/check/run-check.ts'
import { findDocs, listChecked } from '../../docs/read/find-docs.ts'
import { isFolder } from '../../files/boundary.ts'
import type { Description } from '../../openapi/types.ts'
import { type AgentTool, defineTool, levelArgument, listArguments, takePart } from '../../site/agents/site-tools.ts'
import { ToolError } from '../../text/errors.ts'
import { toOneLine } from '../../text/plain/escape-text.ts'
import { listFirst } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { compareNamed } from '../open/compare-named.ts'
import type { Workspace } from '../open/workspace.ts'
import { silent } from '../print/terminal.ts'
import type { LocalDocs } from './local-docs.ts'

/** The tools `check`, `changes` and `list_operations` for a local docs directory. */
export function createLocalTools(docs: LocalDocs): readonly AgentTool[] {
  return [createCheckTool(docs), createChangesTool(docs), createOperationsTool(docs)]
}

const severities = ['error', 'warning', 'info'] as const

function createCheckTool(docs: LocalDocs): AgentTool {
  return defineTool({
    name: 'check',
    title: 'Check OpenAPI documents and docs',
    description:
      'Checks OpenAPI documents, docs.json and the pages bound to operations. Returns each problem with file, line, column, code and fix. ' +
      'Use it after an edit.',
    input: {
      path: Type.Optional(
        Type.String({ maxLength: 2_000, description: 'A document, or a directory with a docs.json. Default: all' }),
      ),
      severity: Type.Optional(
        Type.Enum(severities, { type: 'string', description: 'Least severe problems to return. Default: warning' }),
      ),
      ...listArguments(50),
    },
    run: async ({ path, severity = 'warning', limit = 50, offset }) => {
      const workspace = docs.open()
      const entries = await findEntries(docs, path, workspace)
      const report = await runCheck({ entries }, workspace.access, workspace.terms, workspace.reporting)
      const { diagnostics } = await workspace.show(report.diagnostics, report.sourceOf)
      const shown = diagnostics
        .filter((one) => severities.indexOf(one.severity) <= severities.indexOf(severity))
        .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
      const documents = formatCount(report.documents.length, 'document')
      const hidden = diagnostics.length - shown.length
      const more = hidden === 0 ? '' : ` (${formatCount(hidden, 'less severe problem')} not listed)`
      const { part, rest } = takePart(shown, { limit, offset })
      return `${documents} checked: ${formatCounts(countFindings(diagnostics))}${more}\n${part.map(formatProblem).join('')}${rest}`
    },
  })
}

/** What to check: the path, else the docs directories of the argument, or all documents below it. */
async function findEntries(
  docs: LocalDocs,
  path: string | undefined,
  { access, toInside }: Workspace,
): Promise<readonly string[]> {
  const argument = path ?? docs.argument
  const inside = path === undefined ? toInside(argument) : docs.toInside(path)
  if (isUrl(inside) || !isFolder(resolve(docs.context.workingDirectory, argument))) return [inside]
  const entries = await listChecked(inside, await findDocs(inside, access), access.files)
  if (entries.length === 0) throw new ToolError(`Cannot find a docs.json or an OpenAPI document in ${argument}`)
  return entries
}

function formatProblem(diagnostic: Diagnostic): string {
  const { severity, message, file, range, hint } = diagnostic
  const { line, column } = range.start
  const fix = hint === undefined ? '' : `. ${hint}`
  return `${toOneLine(`${file}:${line}:${column} ${severity} ${ruleNameOf(diagnostic)}: ${message}${fix}`)}\n`
}

function createChangesTool(docs: LocalDocs): AgentTool {
  return defineTool({
    name: 'changes',
    title: 'Compare API versions',
    description:
      'Compares two versions of an API and returns each change as breaking, risky or compatible for API clients. ' +
      'Use it before a commit, to find out what an edit breaks.',
    input: {
      base: Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'The old version: a git revision (`main`, `HEAD~1`), `revision:path`, a document or a directory',
      }),
      revision: Type.Optional(
        Type.String({ minLength: 1, maxLength: 2_000, description: 'The new version. Default: the files in the work tree' }),
      ),
      level: levelArgument,
      ...listArguments(50),
    },
    run: async ({ base, revision = docs.argument, level, limit = 50, offset }) => {
      for (const name of [base, revision]) if (isUrl(name)) docs.toInside(name)
      const errors: string[] = []
      const stderr = { write: (text: string) => void errors.push(text), isTerminal: false, columns: undefined }
      const options = { ...docs.options, shownFrom: docs.context.workingDirectory, all: true, quiet: true, color: false }
      const compared = await compareNamed({ base, revision }, options, { ...docs.context, stderr }, silent)
      const documents = compared?.documents.filter(({ comparison }) => comparison) ?? []
      if (documents.length === 0) throw new ToolError(errors.join('').trim() || 'The documents cannot be read')
      const all = documents.flatMap(({ document, comparison }) =>
        (comparison?.changes ?? []).map((change) => ({ document, change })),
      )
      const listed = all
        .filter(({ change }) => level === undefined || change.level === level)
        .sort((a, b) => compareAttention(a.change, b.change))
      const counts = all.length === 0 ? 'no changes' : formatLevels(countChanges(all.map(({ change }) => change)))
      const { part, rest } = takePart(listed, { limit, offset })
      const isNamed = documents.length > 1
      const lines = part.map(({ document, change }) => formatChange(change, isNamed ? document : undefined))
      const unread = errors.length === 0 ? '' : `\n${errors.join('').trim()}`
      return `${formatCount(documents.length, 'document')} compared: ${counts}\n${lines.join('')}${rest}${unread}`
    },
  })
}

function formatChange(change: Change, document: string | undefined): string {
  const { code, message, hint, method, path, operations, revision, base } = change
  const at = method !== null && path !== null ? [{ method, path }] : operations
  const names = listFirst(at, 3, formatOperation)
  const place = revision ?? base
  const where = place ? ` (${revision ? '' : 'base '}${place.file}:${place.range.start.line})` : ''
  const parts = [describeLevel(change), code, document, names === '' ? undefined : names].filter((part) => part !== undefined)
  return `${toOneLine(`${parts.join(' · ')}: ${message}${where}${hint === undefined ? '' : `. ${hint}`}`)}\n`
}

function createOperationsTool(docs: LocalDocs): AgentTool {
  return defineTool({
    name: 'list_operations',
    title: 'List operations',
    description:
      'Lists the operations and webhooks of the OpenAPI documents with operationId, summary, tags and page. `read_page` returns the details of an operation.',
    input: {
      document: Type.Optional(Type.String({ maxLength: 2_000, description: 'Path of one document. Default: all' })),
      contains: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Only operations whose path, operationId, summary or tag contains this text',
        }),
      ),
      ...listArguments(100),
    },
    run: async ({ document, contains, limit = 100, offset }) => {
      const documentPath = document === undefined ? undefined : docs.toInside(document)
      const { descriptions, routes, toShown } = await readDescriptions(docs, documentPath)
      const all = descriptions.flatMap(({ source, description }) => {
        const { entryPath, title, version } = description
        const heading = toOneLine(`# ${toShown(entryPath)} (${title}, OpenAPI ${version})`)
        return listSubjects(description).map(({ target, details }) => {
          const route = routes.get(`${source} ${target}`)
          return { heading, line: toOneLine(`${target}${details}${route === undefined ? '' : ` · /${route}`}`) }
        })
      })
      if (all.length === 0) throw new ToolError(`Cannot find operations${document === undefined ? '' : ` in ${document}`}`)
      const found = contains === undefined ? all : all.filter(({ line }) => line.toLowerCase().includes(contains.toLowerCase()))
      const { part, rest } = takePart(found, { limit, offset })
      const lines = part.flatMap(({ heading, line }, index) => (heading === part[index - 1]?.heading ? [line] : [heading, line]))
      return `${formatCount(found.length, 'operation')} in ${formatCount(descriptions.length, 'document')}\n${lines.join('\n')}\n${rest}`
    },
  })
}

async function readDescriptions(docs: LocalDocs, documentPath: string | undefined) {
  const { site, loose, workspace } = await docs.read()
  const routes = new Map<string, string>()
  for (const { subject, route } of site.source?.context.plan.pages ?? []) {
    if (subject.kind === 'operation') routes.set(`${subject.source} ${subject.target}`, route)
    if (subject.kind === 'webhook') routes.set(`${subject.source} webhook ${subject.name}`, route)
  }
  const named = site.documents.flatMap(({ source, path, description }) => (description ? [{ source, path, description }] : []))
  const isKnown = named.some(({ path }) => path === documentPath)
  const others = documentPath !== undefined && !isKnown ? [documentPath] : named.length === 0 ? loose : []
  const read: { source: string; path: string; description: Description }[] = []
  const { overlays } = workspace.terms
  for (const path of others) {
    const { description } = await checkEntryDocument(path, workspace.access, { errorsOnly: true, overlays })
    if (description) read.push({ source: path, path, description })
    else if (path === documentPath) throw new ToolError(`Cannot read an OpenAPI document at ${path}`)
  }
  const descriptions = [...named, ...read].filter(({ path }) => documentPath === undefined || path === documentPath)
  return { descriptions, routes, toShown: workspace.toShown }
}

function listSubjects({ operations, webhooks }: Description): readonly { readonly target: string; readonly details: string }[] {
  const describe = ({ operationId, summary, tags, deprecated }: Description['operations'][number]) =>
    [operationId, summary, tags.length === 0 ? undefined : `[${tags.join(', ')}]`, deprecated ? 'deprecated' : undefined]
      .flatMap((text) => (text === undefined ? [] : [` · ${text}`]))
      .join('')
  return [
    ...operations.map((operation) => ({
      target: `${operation.method.toUpperCase()} ${operation.pathTemplate}`,
      details: describe(operation),
    })),
    ...webhooks.map(({ name, operations: [first] }) => ({
      target: `webhook ${name}`,
      details: first ? describe({ ...first, pathTemplate: name }) : '',
    })),
  ]
}
