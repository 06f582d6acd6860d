import type { HttpRequest } from '../../request/http-request.ts'
import { otherSamples } from '../../request/samples/other-samples.ts'
import { findSampleLanguage, type SampleLanguage, sampleLanguages } from '../../request/samples/sample-languages.ts'
import { usualSamples } from '../../request/samples/usual-samples.ts'
import type { CodeSample, OperationView } from '../types.ts'

export interface CodeSampleOptions {
  /** Which are made, in this order, by the names that docs.json has for languages; four where absent or none of them is known. */
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
  if (!autogenerate) return [...codeSamples]
  const written = new Set(codeSamples.map(({ label, language }) => findSampleLanguage(language) ?? findSampleLanguage(label)))
  const wanted = new Set(languages?.flatMap((name) => findSampleLanguage(name) ?? []))
  const made = [...(wanted.size > 0 ? wanted : defaultLanguages)].flatMap((key) => {
    const write = samples[key]
    const { label, color: language } = sampleLanguages[key]
    return write && !written.has(key) ? [{ language, label, source: write(request) }] : []
  })
  return [...codeSamples, ...made]
}

const samples = { ...usualSamples, ...otherSamples }
const defaultLanguages: readonly SampleLanguage[] = ['bash', 'javascript', 'python', 'go']
