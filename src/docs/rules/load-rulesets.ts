import { createHash } from 'node:crypto'
import type { Files } from '../../files/files.ts'
import type { LoadedDocument } from '../../openapi/types.ts'
import { loadBuiltIn, type ReadRulesets, type RulesetEntry, readRulesets } from '../../rules/read/read-rulesets.ts'
import {
  type FunctionEntry,
  type LoadedFunction,
  type LoadedRuleset,
  type RulesetLoader,
  rulesetLimits,
} from '../../rules/ruleset.ts'
import { entriesOf, parseJson, readOwn, readText, stringOf } from '../../text/json/json-values.ts'
import { formatLimit, type Limits } from '../../text/plain/limits.ts'
import { isUrl, joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import type { RulesetSetting } from '../config/ruleset-settings.ts'
import { findNearName, toFailure } from '../read/find-docs.ts'
import { createTimeLimit } from '../read/time-limit.ts'
import type { DocsAccess } from '../types.ts'

/** Which rulesets apply to documents. */
export type RulesetChoice =
  /** Named by the user: paths relative to the boundary, or URLs. */
  | { readonly kind: 'named'; readonly rulesets: readonly string[] }
  | { readonly kind: 'configured'; readonly rulesets: readonly RulesetSetting[] }
  | { readonly kind: 'found'; readonly path: string }

/** The paths and URLs of a choice. */
export function namesOfChoice(choice: RulesetChoice): readonly string[] {
  if (choice.kind === 'found') return [choice.path]
  return choice.kind === 'named'
    ? choice.rulesets
    : choice.rulesets.map((entry) => (entry.kind === 'url' ? entry.url : entry.path))
}

type Access = Pick<DocsAccess, 'files' | 'fetchDocument'>
type Failed = Extract<LoadedRuleset, { kind: 'failed' }>

/** The most time for regular expressions and functions that are read. Both can take exponential time, or seconds for a short text. */
const readingMs = 20_000

/**
 * Loads rulesets with all rulesets that they extend. Never rejects because of a ruleset.
 *
 * @param maxMs the most time for reading what the files contain.
 */
export async function loadRulesets(
  choice: RulesetChoice,
  access: Access,
  limits: Limits,
  maxMs = readingMs,
): Promise<ReadRulesets> {
  const pins = new Map<string, string>()
  const namedUrls = new Set<string>()
  if (choice.kind === 'configured') {
    for (const entry of choice.rulesets) if (entry.kind === 'url') pins.set(entry.url, entry.sha256)
  }
  if (choice.kind === 'named') {
    for (const name of namesOfChoice(choice)) if (isUrl(name)) namedUrls.add(name)
  }
  const values = { ...limits.values, 'document-size': Math.min(limits.values['document-size'], rulesetLimits.fileBytes) }
  const request = (url: string) => access.fetchDocument(url, { ...limits, values })
  const urls: UrlAccess = { pins, namedUrls, used: new Set(), request }
  const runTimed = createTimeLimit(maxMs)
  const runWithin: RulesetLoader['runWithin'] = <Result>(run: () => Result) => {
    const results: Result[] = []
    runTimed(() => results.push(run()))
    return results[0]
  }
  const findBuiltIn = (name: string) => loadBuiltIn(name) ?? failed(name, 'there is no such ruleset', 'Use `spectral:oas`')
  const loader: RulesetLoader = {
    loadFunction: (entry) => loadCustomFunction(entry, access.files),
    runWithin,
    load: async (name, from) => (name.startsWith('spectral:') ? findBuiltIn(name) : await loadExtended(name, from, access, urls)),
  }
  const load = async (name: string): Promise<LoadedRuleset | undefined> => {
    if (name.startsWith('spectral:')) return findBuiltIn(name)
    if (!isUrl(name)) return await loadFile(name, name, access)
    // A pinned URL that another ruleset extends does not apply a second time.
    return urls.used.has(name) ? undefined : await loadUrl(name, urls)
  }
  const entries = namesOfChoice(choice).map(
    (name, precedence): RulesetEntry => ({
      load: () => load(name),
      place: { file: name, pointer: '' },
      precedence,
    }),
  )
  // Files first, so that it is known which of the URLs they extend.
  const isPinned = ({ place }: RulesetEntry) => pins.has(place.file)
  return await readRulesets([...entries.filter((entry) => !isPinned(entry)), ...entries.filter(isPinned)], loader)
}

/** The URLs that may be read. */
interface UrlAccess {
  /** URL → SHA-256 hash of its content. */
  readonly pins: ReadonlyMap<string, string>
  readonly namedUrls: Set<string>
  /** The pinned URLs that were read. */
  readonly used: Set<string>
  readonly request: (url: string) => Promise<LoadedDocument>
}

/** Loads what `extends` names in a file: a path, a package or a URL. */
async function loadExtended(name: string, from: string, access: Access, urls: UrlAccess): Promise<LoadedRuleset> {
  if (isUrl(name)) return await loadUrl(name, urls)
  if (/^([/\\]|[a-z]:[/\\])/i.test(name)) {
    return failed(name, 'it is an absolute path', 'Use a path relative to the ruleset')
  }
  if (isUrl(from)) {
    if (!URL.canParse(name, from)) return failed(name, 'it is neither a path nor a URL')
    const url = new URL(name, from).href
    // The user trusts the server of the URL, which can serve several files of a ruleset.
    if (urls.namedUrls.has(from) && new URL(url).origin === new URL(from).origin) urls.namedUrls.add(url)
    return await loadUrl(url, urls)
  }
  const path = joinPath(parentPath(from), name)
  if (name.startsWith('.') || from.startsWith('spectral:')) return await loadFile(path, name, access)
  const installed = await findPackage(name, parentPath(from), access)
  if (installed !== undefined) return typeof installed === 'string' ? await loadFile(installed, name, access) : installed
  const file = await access.files.read(path, rulesetLimits.fileBytes)
  if (file.kind !== 'missing' || /\.(?:ya?ml|json|[cm]?[jt]s)$/i.test(name)) return await loadFile(path, name, access)
  const hint = 'Install it with `npm install` before the check, or copy its ruleset into the repository'
  return failed(name, 'no such package in `node_modules`', hint)
}

/** Finds the file of a package in `node_modules` of a folder or of one above it. */
async function findPackage(name: string, folder: string, { files }: Access): Promise<string | Failed | undefined> {
  const [, packageName, subpath] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/.exec(name) ?? []
  if (packageName === undefined || normalizePath(name) !== name) return undefined
  for (let current = folder; ; current = parentPath(current)) {
    const installed = joinPath(current, `node_modules/${packageName}`)
    const manifest = await files.read(`${installed}/package.json`, rulesetLimits.fileBytes)
    if (manifest.kind === 'file') {
      // A package manager may link to the folder of the package, whose own dependencies are beside it.
      const real = manifest.identity === undefined ? installed : parentPath(manifest.identity)
      const file = subpath ?? readMain(manifest.bytes)
      if (file !== undefined) return joinPath(real, file)
      return failed(name, 'its `package.json` names no ruleset in `main`', 'Name the file in the package')
    }
    if (manifest.kind === 'outside') return failed(name, 'it is outside the boundary for reading files')
    if (current === '') return undefined
  }
}

/** The file that a package exports. Undefined if it is none that can be a ruleset. */
function readMain(bytes: Uint8Array): string | undefined {
  const manifest = parseJson(new TextDecoder().decode(bytes))
  if (manifest === undefined) return undefined
  return toExport(readOwn(manifest, 'exports')) ?? readText(manifest, 'main') ?? 'index.js'
}

/** A file in `exports`, which can be different for `import` and `require`. */
function toExport(value: unknown): string | undefined {
  const entries = new Map(entriesOf(value))
  const conditions = ['.', 'node', 'import', 'require', 'default'].filter((key) => entries.has(key))
  return stringOf(value) ?? conditions.flatMap((key) => toExport(entries.get(key)) ?? [])[0]
}

async function loadFile(path: string, name: string, { files }: Access): Promise<LoadedRuleset> {
  if (isScript(path)) return refusedScript(name, path)
  const result = await files.read(path, rulesetLimits.fileBytes)
  if (result.kind === 'file') return { kind: 'file', source: toSourceFile(path, result.bytes) }
  if (result.kind === 'too-large') return tooLarge(name)
  const { reason, hint } = toFailure(result)
  const near = result.kind === 'missing' ? await findNearName(files, path) : undefined
  return failed(name, reason, near === undefined ? hint : `Did you mean \`${near}\`?`)
}

async function loadUrl(url: string, { pins, namedUrls, used, request }: UrlAccess): Promise<LoadedRuleset> {
  const pin = pins.get(url)
  if (pin === undefined && !namedUrls.has(url)) {
    const hint = 'Add it to `rulesets` in the configuration file, with `url` and `sha256`, or commit the ruleset and use its path'
    return failed(url, 'a URL is only read if `--ruleset` or the configuration file names it', hint)
  }
  if (isScript(new URL(url).pathname)) return refusedScript(url, url)
  used.add(url)
  const loaded = await request(url)
  if (loaded.kind === 'failed') {
    if (loaded.code === 'file-too-large') return tooLarge(url)
    return { ...failed(url, loaded.reason, loaded.hint), ...(loaded.severity && { severity: loaded.severity }) }
  }
  const hash = createHash('sha256').update(loaded.bytes).digest('hex')
  if (pin !== undefined && pin !== hash) {
    const reason = `its content has changed, and now has the hash \`${hash}\``
    return failed(url, reason, 'Review the new content, and then change `sha256`')
  }
  return { kind: 'file', source: toSourceFile(url, loaded.bytes) }
}

function isScript(path: string): boolean {
  return /\.[cm]?[jt]s$/i.test(path)
}

function refusedScript(name: string, path: string): Failed {
  const hint =
    'Write it as YAML: `extends`, `rules` and `aliases` keep their form, and functions become names such as `function: truthy`'
  return failed(name, `${path === name ? 'it' : `\`${path}\``} is JavaScript, which is not run`, hint)
}

function tooLarge(name: string): Failed {
  return failed(name, `it has more than ${formatLimit('document-size', rulesetLimits.fileBytes)}`, 'Split the ruleset')
}

function failed(name: string, reason: string, hint?: string): Failed {
  return { kind: 'failed', message: `Cannot read the ruleset \`${name}\`: ${reason}`, hint }
}

/** The most files that a function and what it imports may have. */
const maxFiles = 50
const maxBytes = 1024 * 1024
/** The most strings in them that are tried as paths of imports. */
const maxSpecifiers = 1_000

/**
 * Loads a function in a JavaScript file with the files that it imports, all of which have to be inside the boundary.
 */
async function loadCustomFunction({ name, file }: FunctionEntry, files: Files): Promise<LoadedFunction> {
  if (isUrl(file)) {
    const message = `Cannot read the function \`${name}\`: functions of a ruleset at a URL are not read`
    return { kind: 'failed', message, hint: 'Commit the ruleset and its functions, and use its path' }
  }
  const result = await files.read(file, maxBytes)
  if (result.kind !== 'file') {
    const { reason, hint } = toFailure(result)
    const message = `Cannot read the function \`${name}\` in \`${file}\`: ${reason}`
    return { kind: 'failed', message, hint }
  }
  const source = toSourceFile(file, result.bytes)
  const sources = await loadImports(source, files)
  const load = (specifier: string, from: string) => sources.get(joinPath(parentPath(from), specifier))
  return { kind: 'loaded', source, sources: [...sources.values()], load }
}

const extensions = ['', '.js', '.cjs', '.mjs', '.json', '/index.js']

/** Reads the files that a script may import. Every string that starts as a relative path counts. */
async function loadImports(entry: SourceFile, files: Files): Promise<ReadonlyMap<string, SourceFile>> {
  const sources = new Map([[entry.path, entry]])
  let left = maxSpecifiers
  for (const { path, text } of sources.values()) {
    for (const [, specifier = ''] of text.matchAll(/["'](\.{1,2}\/[^"'\n]{0,200})["']/g)) {
      if (left-- === 0) return sources
      for (const extension of extensions) {
        const imported = joinPath(parentPath(path), specifier + extension)
        if (sources.size >= maxFiles) return sources
        if (sources.has(imported)) break
        const result = await files.read(imported, maxBytes)
        if (result.kind !== 'file') continue
        sources.set(imported, toSourceFile(imported, result.bytes))
        break
      }
    }
  }
  return sources
}
