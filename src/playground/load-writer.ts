import type { SampleLanguage } from '../request/samples/sample-languages.ts'
import type { WriteSample } from '../request/samples/usual-samples.ts'

type LoadWriter = () => Promise<WriteSample | undefined>

const script = () => import('../request/samples/to-javascript.ts')

/** Those that are asked for most each come alone, so that a reader loads the language that is shown. */
const usual: { readonly [language in SampleLanguage]?: LoadWriter } = {
  bash: async () => (await import('../request/samples/to-curl.ts')).toCurl,
  javascript: async () => (await script()).toJavaScript,
  typescript: async () => (await script()).toTypeScript,
  node: async () => (await script()).toNode,
  python: async () => (await import('../request/samples/to-python.ts')).toPython,
}

/** Loads what writes a language. */
export function toLoadWriter(language: SampleLanguage): LoadWriter {
  return usual[language] ?? (async () => (await import('../request/samples/other-samples.ts')).otherSamples[language])
}
