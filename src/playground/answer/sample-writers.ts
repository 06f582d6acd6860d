import { readOwn } from '../../text/json/json-values.ts'
import type { SampleLanguage, WriteSample } from '../samples/sample-languages.ts'

type LoadWriter = () => Promise<WriteSample | undefined>

/** Returns the function that loads the writer for a language. */
export function toWriterLoader(language: SampleLanguage): LoadWriter {
  return commonWriters[language] ?? (async () => readOwn((await import('../samples/other-samples.ts')).otherSamples, language))
}

const script = () => import('../samples/to-javascript.ts')

/** The most common languages have separate scripts, so that only the selected one is loaded. */
const commonWriters: { readonly [language in SampleLanguage]?: LoadWriter } = {
  bash: async () => (await import('../samples/to-curl.ts')).toCurl,
  javascript: async () => (await script()).toJavaScript,
  typescript: async () => (await script()).toTypeScript,
  node: async () => (await script()).toNode,
  python: async () => (await import('../samples/to-python.ts')).toPython,
}
