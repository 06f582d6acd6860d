import type { HttpRequest } from '../../request/http-request.ts'
import { toCurl } from '../../request/samples/to-curl.ts'
import { toGo } from '../../request/samples/to-go.ts'
import { toJavaScript } from '../../request/samples/to-javascript.ts'
import { toPython } from '../../request/samples/to-python.ts'
import type { CodeSample, OperationView } from '../types.ts'

const generators = [
  { language: 'bash', label: 'curl', write: toCurl },
  { language: 'javascript', label: 'JavaScript', write: toJavaScript },
  { language: 'python', label: 'Python', write: toPython },
  { language: 'go', label: 'Go', write: toGo },
] as const

export interface CodeSampleOptions {
  /** Which are made, in this order, by the names that docs.json has for languages; all four where absent. */
  readonly languages: readonly string[] | undefined
  /** Whether any are made where the document brings none. */
  readonly autogenerate: boolean
}

/**
 * A request in several languages; those that the document brings itself stand first, and instead of a made one of the same language.
 *
 * The generators are our own: the libraries that were looked at leave quotes in addresses, methods of strangers and `@file` as they are.
 */
export function toCodeSamples(
  { codeSamples }: Pick<OperationView, 'codeSamples'>,
  request: HttpRequest,
  { languages, autogenerate }: CodeSampleOptions,
): CodeSample[] {
  const written = new Set(codeSamples.map(({ label, language }) => toLabel(language) ?? label))
  const wanted = languages?.flatMap((name) => toLabel(name) ?? [])
  const chosen =
    wanted === undefined || wanted.length === 0
      ? [...generators]
      : wanted.flatMap((label) => generators.find((generator) => generator.label === label) ?? [])
  const made = autogenerate
    ? chosen
        .filter(({ label }) => !written.has(label))
        .map(({ language, label, write }) => ({ language, label, source: write(request) }))
    : []
  return [...codeSamples, ...made]
}

/** The made sample that a language's name means. */
function toLabel(name: string): string | undefined {
  return aliases.get(name.toLowerCase())
}

const aliases: ReadonlyMap<string, string> = new Map([
  ['bash', 'curl'],
  ['shell', 'curl'],
  ['sh', 'curl'],
  ['curl', 'curl'],
  ['js', 'JavaScript'],
  ['javascript', 'JavaScript'],
  ['node', 'JavaScript'],
  ['python', 'Python'],
  ['py', 'Python'],
  ['go', 'Go'],
  ['golang', 'Go'],
])
