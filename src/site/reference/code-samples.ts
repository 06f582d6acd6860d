import {
  buildRequest,
  type FilledParameter,
  type HttpRequest,
  type RequestBody,
  type RequestFile,
  toCredential,
  toRawBody,
} from '../../playground/request/http-request.ts'
import { toFormText, toRequestBody } from '../../playground/request/request-body.ts'
import { allSamples } from '../../playground/samples/all-samples.ts'
import { findSampleLanguage, type SampleLanguage, sampleLanguages } from '../../playground/samples/sample-languages.ts'
import { toSampleServer } from './servers-security.ts'
import type { CodeSample, ExampleView, MediaTypeView, OperationView, ParameterView } from './types.ts'

interface CodeSampleOptions {
  /** Languages in order, by their names in docs.json; four default ones if absent or unknown. */
  readonly languages: readonly string[] | undefined
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
  const wanted = new Set(languages?.flatMap((name) => findSampleLanguage(name) ?? []))
  const made = [...(wanted.size > 0 ? wanted : defaultLanguages)].flatMap((key) => {
    const write = allSamples[key]
    if (!write || written.has(key)) return []
    return [{ language: grammars[key] ?? key, label: sampleLanguages[key], source: write(request) }]
  })
  return [...codeSamples, ...made]
}

/** The highlighting grammars of languages whose key is not the name of one. */
const grammars: Partial<Record<SampleLanguage, string>> = { node: 'javascript', dotnet: 'csharp', 'c++': 'cpp' }
const defaultLanguages: readonly SampleLanguage[] = ['bash', 'javascript', 'python', 'go']

/** A body that a sample can show. */
export interface SampleBody {
  readonly content: MediaTypeView
  readonly example: ExampleView | undefined
}

/** The most bodies that samples can show. */
const maxBodies = 8

/** The bodies of an operation that samples can show: each media type with each of its examples. */
export function listSampleBodies({ requestBody }: OperationView): readonly SampleBody[] {
  const bodies = (requestBody?.content ?? []).flatMap((content): SampleBody[] => {
    const [first, ...more] = content.examples
    return [{ content, example: first }, ...more.map((example) => ({ content, example }))]
  })
  return bodies.slice(0, maxBodies)
}

/**
 * Creates the request for samples: required parameters with their examples, credentials as `<token>`, and the body.
 *
 * Optional parameters are omitted unless `defaults` is `all` and they have an example.
 */
export function toSampleRequest(
  operation: OperationView,
  defaults: 'required' | 'all',
  body: SampleBody | undefined = listSampleBodies(operation)[0],
): HttpRequest {
  const { method, path, servers, security, responses } = operation
  const [server] = servers
  return buildRequest({
    method,
    server: toSampleServer(server),
    path,
    parameters: operation.parameters.flatMap((parameter) => fillParameter(parameter, defaults)),
    credentials: (security[0]?.schemes ?? []).flatMap(({ scheme }) => toCredential(scheme, undefined) ?? []),
    accept: responses.find(({ statusCode }) => statusCode.startsWith('2'))?.content[0]?.mediaType,
    body: body && toSampleBody(body),
  })
}

/** Whether all required parameters of an operation have a value in samples. */
export function hasSampleValues(operation: OperationView | undefined): boolean {
  return operation?.parameters.every((parameter) => !parameter.required || toValue(parameter) !== undefined) === true
}

function fillParameter(parameter: ParameterView, defaults: 'required' | 'all'): FilledParameter[] {
  const { name, in: location, required, examples } = parameter
  if (!required && !(defaults === 'all' && examples.length > 0)) return []
  const value = toValue(parameter)
  if (value !== undefined) return [{ ...parameter, writeForm: toFormText, value }]
  return location === 'path' ? [] : [{ ...parameter, writeForm: toFormText, value: `<${name}>` }]
}

/** Returns the example of a parameter, or else its first enum value, example, default or constant, if any. */
function toValue({ examples, schema }: ParameterView): unknown {
  const [example] = examples
  if (example?.value !== undefined) return example.value
  const [choice] = schema.enum
  if (choice) return choice.value
  const fact = schema.facts.find((one) => one.kind === 'value' && ['Example', 'Default', 'Always'].includes(one.label))
  return fact?.kind === 'value' ? fact.value : undefined
}

/** Creates the body of a sample from an example. Absent if there is none. */
function toSampleBody({ content: { mediaType, schema, encoding }, example }: SampleBody): RequestBody | undefined {
  const { value, text } = example ?? { value: undefined, text: undefined }
  const isPlain = typeof value !== 'object' || value === null
  const file: RequestFile = { name: 'file.bin', type: '' }
  if (isPlain && (text === undefined || text === '' || /^multipart\//i.test(mediaType))) {
    const isBinary = /^(?:application\/octet-stream|image\/|audio\/|video\/|application\/(?:zip|pdf|gzip))/i.test(mediaType)
    return isBinary ? toRequestBody(undefined, { mediaType, encodingOf: () => undefined, fileOf: () => file }) : undefined
  }
  // An empty form has nothing to show.
  if (/^(?:multipart\/|application\/x-www-form-urlencoded)/i.test(mediaType) && !isPlain && Object.keys(value).length === 0)
    return undefined
  // A string example is the whole body.
  if (typeof value === 'string') return toRawBody(text ?? value, mediaType)
  return toRequestBody(value, {
    mediaType,
    encodingOf: (property) => {
      const own = encoding.find((one) => one.property === property)
      return own && { ...own, allowReserved: own.allowReserved || undefined, headers: [] }
    },
    fileOf: (_value, property) => {
      const own = schema?.properties?.find(({ name }) => name === property)?.schema
      const isBinary = [own, own?.items].some((one) => one?.type.some((type) => /binary/.test(type.text)))
      return isBinary ? file : undefined
    },
  })
}
