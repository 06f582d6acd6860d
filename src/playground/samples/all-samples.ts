import { otherSamples } from './other-samples.ts'
import type { SampleLanguage, WriteSample } from './sample-languages.ts'
import { toCurl } from './to-curl.ts'

/** The writers of all languages. The playground loads only those that it needs. */
export const allSamples: Readonly<Record<SampleLanguage, WriteSample>> = {
  bash: toCurl,
  ...otherSamples,
}
