import type { HttpRequest } from '../request/http-request.ts'
import type { SampleLanguage } from './sample-languages.ts'
import { toCurl } from './to-curl.ts'
import { toJavaScript, toNode, toTypeScript } from './to-javascript.ts'
import { toPython } from './to-python.ts'

/** Generates a request in a language. */
export type WriteSample = (request: HttpRequest) => string

/** The most common languages. The playground loads `other-samples.ts` when another one is selected. */
export const popularSamples: { readonly [language in SampleLanguage]?: WriteSample } = {
  bash: toCurl,
  javascript: toJavaScript,
  typescript: toTypeScript,
  node: toNode,
  python: toPython,
}
