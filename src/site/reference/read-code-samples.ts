import type { Place } from '../../openapi/types.ts'
import { findSampleLanguage, sampleLanguages } from '../../playground/samples/sample-languages.ts'
import { isObject } from '../../text/json/json-values.ts'
import { readField, readText } from './read-fields.ts'
import type { CodeSample } from './types.ts'

/** A sample as the document has it. */
interface WrittenSample {
  readonly language: string
  readonly label: string | undefined
  readonly source: string
}

/**
 * Reads the samples of an operation: `x-codeSamples` or `x-code-samples` (Redocly), `code-samples` of `x-readme` (ReadMe), `x-stainless-snippets` (Stainless). If several have samples of a language, the first counts,
 * because generators write the same samples for several tools.
 */
export function readCodeSamples({ value }: Place): CodeSample[] {
  const sources = [
    [...readList(readField(value, 'x-codeSamples')), ...readList(readField(value, 'x-code-samples'))],
    readList(readField(readField(value, 'x-readme'), 'code-samples')),
    readMapping(readField(value, 'x-stainless-snippets')),
  ]
  const samples: WrittenSample[] = []
  for (const source of sources) {
    const known = new Set(samples.map(({ language }) => toKey(language)))
    samples.push(...source.filter(({ language }) => !known.has(toKey(language))))
  }
  return nameSamples(samples)
}

/** Samples with `lang`, `label` and `source`, or as at ReadMe with `language`, `name` and `code`. */
function readList(list: unknown): WrittenSample[] {
  return (Array.isArray(list) ? list : []).flatMap((sample: unknown): WrittenSample[] => {
    const source = readText(sample, 'source') ?? readText(sample, 'code')
    const language = readText(sample, 'lang') ?? readText(sample, 'language')
    if (source === undefined || language === undefined) return []
    return [{ language, label: readText(sample, 'label') ?? readText(sample, 'name'), source }]
  })
}

/** Samples by language, as text or with `source`. */
function readMapping(samples: unknown): WrittenSample[] {
  return Object.entries(isObject(samples) ? samples : {}).flatMap(([language, sample]): WrittenSample[] => {
    const source = typeof sample === 'string' ? sample : readText(sample, 'source')
    return source === undefined ? [] : [{ language, label: undefined, source }]
  })
}

function toKey(language: string): string {
  return findSampleLanguage(language) ?? language.toLowerCase()
}

/**
 * Gives each sample a unique label: its own, with the language if that is needed to tell samples apart, and else a number. A label that all samples
 * have is left out, because generators often write the summary of the operation there.
 */
function nameSamples(samples: readonly WrittenSample[]): CodeSample[] {
  const isShared = samples.length > 1 && samples.every(({ label }) => label === samples[0]?.label)
  const countOf = (isSame: (sample: WrittenSample) => boolean) => samples.filter(isSame).length
  const used = new Map<string, number>()
  return samples.map(({ language, label, source }) => {
    const key = toKey(language)
    const isOnly = countOf((one) => toKey(one.language) === key) === 1 && countOf((one) => one.label === label) === 1
    const name = nameLanguage(language)
    const wanted =
      isShared || label === undefined || label.trim() === '' ? name : isOnly || label === name ? label : `${name} · ${label}`
    const count = (used.get(wanted) ?? 0) + 1
    used.set(wanted, count)
    return { language: language.toLowerCase(), label: count === 1 ? wanted : `${wanted} ${count}`, source }
  })
}

/** A shell sample can be any command, so only `curl` is called so. */
function nameLanguage(language: string): string {
  const known = findSampleLanguage(language)
  if (known === undefined) return language
  return known === 'bash' ? (/^curl$/i.test(language.trim()) ? 'curl' : 'Shell') : sampleLanguages[known]
}
