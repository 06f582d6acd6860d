import { goNative } from '@scalar/snippetz/plugins/go/native'
import { jsFetch } from '@scalar/snippetz/plugins/js/fetch'
import { pythonRequests } from '@scalar/snippetz/plugins/python/requests'
import { shellCurl } from '@scalar/snippetz/plugins/shell/curl'
import type { SampleRequest } from './to-sample-request.ts'
import type { CodeSample, OperationView } from './types.ts'

const generators = [
  { language: 'bash', label: 'curl', plugin: shellCurl },
  { language: 'javascript', label: 'JavaScript', plugin: jsFetch },
  { language: 'python', label: 'Python', plugin: pythonRequests },
  { language: 'go', label: 'Go', plugin: goNative },
] as const

/**
 * A request in several languages; those that the document brings itself stand first, and instead of a made one of the same language.
 *
 * The address and the body are given to the library as whole texts, so that all it has to do is to quote them.
 */
export function toCodeSamples({ codeSamples }: Pick<OperationView, 'codeSamples'>, request: SampleRequest): CodeSample[] {
  const written = new Set(codeSamples.map(({ label, language }) => (aliases[language] ?? label).toLowerCase()))
  const made = generators
    .filter(({ label }) => !written.has(label.toLowerCase()))
    .map(({ language, label, plugin }) => ({
      language,
      label,
      source: plugin.generate({
        method: request.method,
        url: request.url,
        headers: [...request.headers],
        ...(request.body && { postData: { mimeType: request.body.mediaType, text: request.body.text } }),
      }),
    }))
  return [...codeSamples, ...made]
}

/** Names that documents have for the languages of the made samples. */
const aliases: Readonly<Record<string, string>> = {
  bash: 'curl',
  shell: 'curl',
  sh: 'curl',
  curl: 'curl',
  js: 'JavaScript',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
}
