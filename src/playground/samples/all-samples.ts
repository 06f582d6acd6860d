import { otherSamples } from './other-samples.ts'
import type { SampleLanguage, WriteSample } from './sample-languages.ts'
import { toCurl } from './to-curl.ts'
import { toJavaScript, toNode, toTypeScript } from './to-javascript.ts'
import { toPython } from './to-python.ts'

/** The writers of all languages. The playground loads only those that it needs. */
export const allSamples: Readonly<Record<SampleLanguage, WriteSample>> = {
  bash: toCurl,
  javascript: toJavaScript,
  typescript: toTypeScript,
  node: toNode,
  python: toPython,
  ...otherSamples,
}
