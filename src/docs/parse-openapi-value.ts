import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject, type JsonObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import { isUrl, normalizePath } from '../text/relative-path.ts'
import { suggest } from '../text/suggest.ts'
import { describeValue } from './describe-value.ts'
import type { DocumentSource } from './types.ts'

/** Where pages go when `openapi` names no directory. */
export const defaultDirectory = 'api-reference'

const knownKeys = ['source', 'directory', 'overlays']

/**
 * Reads the value of an `openapi` key: a path or URL, `{ source, directory }`, or a list of either, of which every entry counts.
 *
 * What cannot be read is a finding and left out. An absent value gives nothing. `usualDirectory` is where pages go when the value names none.
 */
export function parseOpenApiValue(
  value: unknown,
  pointer: string,
  file: string,
  usualDirectory = defaultDirectory,
): { sources: readonly DocumentSource[]; findings: readonly Finding[] } {
  const findings: Finding[] = []
  const report = (finding: Omit<Finding, 'file'>) => findings.push({ ...finding, file })
  if (value === undefined) return { sources: [], findings }
  const entries: [unknown, string][] = Array.isArray(value)
    ? value.map((entry: unknown, index) => [entry, pointerChild(pointer, index)])
    : [[value, pointer]]
  const sources = entries.flatMap(([entry, place]) => parseEntry(entry, place, usualDirectory, report) ?? [])
  return { sources, findings }
}

type Report = (finding: Omit<Finding, 'file'>) => void

function parseEntry(raw: unknown, pointer: string, usualDirectory: string, report: Report): DocumentSource | undefined {
  if (typeof raw === 'string') {
    const source = parseLocation(raw, pointer, report)
    return source === undefined ? undefined : { source, directory: usualDirectory, pointer, raw }
  }
  if (!isObject(raw)) {
    const message = `Unexpected ${describeValue(raw)} for \`openapi\`, expected a path, a URL, an object with \`source\`, or a list of these`
    report({ code: 'wrong-type', message, pointer })
    return undefined
  }
  reportUnknownKeys(raw, pointer, report)
  if (raw['source'] === undefined) {
    const hint = 'add for example `"source": "openapi.yaml"`'
    report({ code: 'missing-field', message: 'Missing `source` in the object of `openapi`', pointer, hint })
    return undefined
  }
  if (typeof raw['source'] !== 'string') {
    const message = `Unexpected ${describeValue(raw['source'])} for \`source\`, expected a path or a URL`
    report({ code: 'wrong-type', message, pointer: `${pointer}/source` })
    return undefined
  }
  const source = parseLocation(raw['source'], `${pointer}/source`, report)
  const directory =
    raw['directory'] === undefined ? usualDirectory : parseDirectory(raw['directory'], `${pointer}/directory`, report)
  if (source === undefined || directory === undefined) return undefined
  return { source, directory, pointer: `${pointer}/source`, raw }
}

function parseLocation(text: string, pointer: string, report: Report): string | undefined {
  const location = text.trim()
  if (isUrl(location)) return location
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(location)?.[1]
  if (scheme !== undefined) {
    report({ code: 'wrong-value', message: `Unexpected \`${scheme}:\` address for \`openapi\`, expected \`https:\``, pointer })
    return undefined
  }
  const path = normalizePath(location.replaceAll('\\', '/'))
  if (path !== '') return path
  report({ code: 'wrong-value', message: 'Unexpected empty text for `openapi`, expected a path or a URL', pointer })
  return undefined
}

function parseDirectory(value: unknown, pointer: string, report: Report): string | undefined {
  if (typeof value !== 'string') {
    report({
      code: 'wrong-type',
      message: `Unexpected ${describeValue(value)} for \`directory\`, expected the path of a folder`,
      pointer,
    })
    return undefined
  }
  const directory = normalizePath(value.replaceAll('\\', '/'))
  const isOutside = directory === '..' || directory.startsWith('../')
  const isOfGit = /(^|\/)\.git(\/|$)/i.test(directory)
  if (!isOutside && !isOfGit) return directory
  const hint = 'name a folder below the one of `docs.json`'
  report({
    code: 'wrong-value',
    message: `Unexpected \`directory\` \`${value}\` ${isOfGit ? 'in the folder of git' : 'outside the docs root'}`,
    pointer,
    hint,
  })
  return undefined
}

function reportUnknownKeys(value: JsonObject, pointer: string, report: Report): void {
  for (const key of Object.keys(value).filter((name) => !knownKeys.includes(name))) {
    const near = suggest(key, knownKeys)
    const message = `Unexpected key \`${key}\` in the object of \`openapi\`, expected \`source\`, \`directory\` or \`overlays\``
    const hint = near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
    report({ code: 'unknown-field', severity: 'warning', message, pointer: pointerChild(pointer, key), on: 'key', ...hint })
  }
}
