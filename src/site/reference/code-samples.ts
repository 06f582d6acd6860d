import { isFormData, isJsonType, isXmlType } from '../../model/written-values.ts'
import { fillRequest } from '../../playground/request/fill-request.ts'
import { type HttpRequest, placeSecret } from '../../playground/request/http-request.ts'
import {
  type DescribedBody,
  type DescribedOperation,
  type GeneratedValues,
  keyOf,
  sampleBody,
  sampleParameters,
  toBodyKey,
} from '../../playground/request/read-operation.ts'
import { writeBody, writeForm } from '../../playground/request/request-body.ts'
import { allSamples } from '../../playground/samples/all-samples.ts'
import { findSampleLanguage, type SampleLanguage, sampleLanguages } from '../../playground/samples/sample-languages.ts'
import { toSampleServer } from './server-urls.ts'
import type { CodeSample, OperationView } from './types.ts'

interface CodeSampleOptions {
  /** In order; eight default ones if absent. */
  readonly languages: readonly SampleLanguage[] | undefined
  /** Whether samples are generated. */
  readonly autogenerate: boolean
}

/**
 * Returns a request in several languages. Samples in the document come first and replace generated ones of the same language.
 *
 * The generators are custom because the evaluated libraries do not escape quotes in URLs, unknown methods and `@file`.
 */
export function toCodeSamples(
  { codeSamples }: Pick<OperationView, 'codeSamples'>,
  request: HttpRequest,
  { languages, autogenerate }: CodeSampleOptions,
): CodeSample[] {
  if (!autogenerate) return [...codeSamples]
  const written = new Set(codeSamples.map(({ label, language }) => findSampleLanguage(language) ?? findSampleLanguage(label)))
  const made = (languages ?? defaultLanguages).flatMap((key) => {
    const write = allSamples[key]
    if (!write || written.has(key)) return []
    return [{ language: grammars[key] ?? key, label: sampleLanguages[key], source: write(request) }]
  })
  return [...codeSamples, ...made]
}

/** The highlighting grammars of languages whose key is not the name of one. */
const grammars: Partial<Record<SampleLanguage, string>> = { node: 'javascript', dotnet: 'csharp', 'c++': 'cpp' }
const defaultLanguages: readonly SampleLanguage[] = ['bash', 'javascript', 'python', 'go', 'ruby', 'php', 'java', 'csharp']

/** A body that a sample can show. */
export interface SampleBody {
  readonly content: DescribedBody
  readonly example: DescribedBody['examples'][number] | undefined
}

/** The most bodies that samples can show. */
export const maxBodies = 8

/** The bodies of an operation that samples can show: each media type with each of its examples. */
export function listSampleBodies({ bodies }: DescribedOperation): readonly SampleBody[] {
  const all = bodies.flatMap((content): SampleBody[] => {
    const [first, ...more] = content.examples
    return [{ content, example: first }, ...more.map((example) => ({ content, example }))]
  })
  return all.slice(0, maxBodies)
}

/** The request of the samples of an operation, with placeholders for credentials. */
export function makeSampleRequest(
  operation: DescribedOperation,
  defaults: 'required' | 'all',
  body: SampleBody | undefined = listSampleBodies(operation)[0],
): HttpRequest {
  const { method, servers, security, isBodyRequired } = operation
  // Clients refuse a body in these.
  const isBodyless = !isBodyRequired && /^(?:GET|HEAD)$/.test(method)
  const values = {
    server: toSampleServer(servers[0]),
    parameters: sampleParameters(operation, defaults),
    extras: [],
    credentials: (security[0] ?? []).flatMap(({ scheme }) => placeSecret(scheme, undefined) ?? []),
    body: body && !isBodyless ? sampleBody(operation, body.content, body.example) : undefined,
  }
  return fillRequest(operation, values, { purpose: 'show', others: { writeBody, writeForm } }).request
}

/** Whether all required parameters of an operation have a value in samples. */
export function hasSampleValues(operation: OperationView | undefined): boolean {
  return (
    operation?.parameters.every(({ required, sample, examples }) => !required || examples.length > 0 || sample !== undefined) ===
    true
  )
}

/** What samples have besides the examples of the document. */
export function listGenerated({ parameters, requestBody }: Pick<OperationView, 'parameters' | 'requestBody'>): GeneratedValues {
  const filled = parameters.flatMap((parameter) => (parameter.sample === undefined ? [] : [[keyOf(parameter), parameter.sample]]))
  const bodies = (requestBody?.content ?? []).flatMap(({ mediaType, examples: [first] }) => {
    // Of other media types than JSON, XML and forms, the playground has the text.
    const isText = mediaType !== '*/*' && !isJsonType(mediaType) && !isXmlType(mediaType) && !isFormData(mediaType)
    const isWanted = first?.isSampled || (isText && typeof first?.value === 'object')
    return first && isWanted ? [[toBodyKey(mediaType), isText ? first.text : first.value]] : []
  })
  return Object.fromEntries([...filled, ...bodies])
}
