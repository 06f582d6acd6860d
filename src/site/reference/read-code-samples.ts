import { childPlace, type FollowReference, mapPlaces } from '../../openapi/references/follow-reference.ts'
import { findSampleLanguage, sampleLanguages } from '../../playground/samples/sample-languages.ts'
import type { Place } from '../../text/json/json-values.ts'
import type { CodeSample } from './types.ts'

/** A sample as the document has it. */
interface WrittenSample {
  readonly language: string
  readonly label: string | undefined
  readonly source: string
}

/**
 * Reads the samples of an operation: `x-codeSamples` or `x-code-samples` (Redocly), `code-samples` of `x-readme` (ReadMe), `x-stainless-snippets`
 * (Stainless), each perhaps behind a `$ref`. If several have samples of a language, the first counts, because generators write the same samples for
 * several tools.
 */
export function readCodeSamples(operation: Place, follow: FollowReference): CodeSample[] {
  const read = (parent: Place, key: string | number) => follow.end(childPlace(parent, key))
  const readFirst = (parent: Place, ...keys: readonly string[]) =>
    keys.map((key) => read(parent, key).value).find((value) => typeof value === 'string')
  /** Samples with `lang`, `label` and `source`, or as at ReadMe with `language`, `name` and `code`. */
  const readList = (list: Place) =>
    (Array.isArray(list.value) ? [...list.value.keys()] : [undefined]).flatMap((index): WrittenSample[] => {
      // Some authors write the only sample without a list.
      const sample = index === undefined ? list : read(list, index)
      const source = readFirst(sample, 'source', 'code')
      const language = readFirst(sample, 'lang', 'language')
      if (source === undefined || language === undefined) return []
      return [{ language, label: readFirst(sample, 'label', 'name'), source }]
    })
  /** Samples by language, as text or with `source`. */
  const readMapping = (samples: Place) =>
    mapPlaces(samples, undefined).flatMap(({ name: language, place }): WrittenSample[] => {
      const sample = follow.end(place)
      const source = typeof sample.value === 'string' ? sample.value : readFirst(sample, 'source')
      return source === undefined ? [] : [{ language, label: undefined, source }]
    })
  const sources = [
    [...readList(read(operation, 'x-codeSamples')), ...readList(read(operation, 'x-code-samples'))],
    readList(read(read(operation, 'x-readme'), 'code-samples')),
    readMapping(read(operation, 'x-stainless-snippets')),
  ]
  const samples: WrittenSample[] = []
  for (const source of sources) {
    const known = new Set(samples.map(({ language }) => toKey(language)))
    samples.push(...source.filter(({ language }) => !known.has(toKey(language))))
  }
  return nameSamples(samples)
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
