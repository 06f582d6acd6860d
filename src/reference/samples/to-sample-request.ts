import { buildRequest, type FilledParameter } from '../../request/build-request.ts'
import type { HttpRequest } from '../../request/http-request.ts'
import { toCredential } from '../../request/to-credential.ts'
import { toFormText } from '../../request/to-form-body.ts'
import type { OperationView, ParameterView, ServerView } from '../types.ts'
import { toSampleBody } from './to-sample-body.ts'

/**
 * The request that samples show: required parameters with their examples, credentials as `<token>`, the first body with its first example.
 *
 * Optional parameters are left out unless `defaults` is `all` and they have an example.
 */
export function toSampleRequest(operation: OperationView, defaults: 'required' | 'all'): HttpRequest {
  const { method, path, servers, security, requestBody, responses } = operation
  const [server] = servers
  const [content] = requestBody?.content ?? []
  return buildRequest({
    method,
    server: server ? toServerAddress(server) : '',
    path,
    parameters: operation.parameters.flatMap((parameter) => fillParameter(parameter, defaults)),
    credentials: (security[0]?.schemes ?? []).flatMap(({ scheme }) => toCredential(scheme, undefined) ?? []),
    accept: responses.find(({ statusCode }) => statusCode.startsWith('2'))?.content[0]?.mediaType,
    body: content && toSampleBody(content),
  })
}

/** The address of a server, its variables replaced by their defaults. */
function toServerAddress({ url, variables }: ServerView): string {
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => variables.find((one) => one.name === name)?.default || whole)
}

function fillParameter(parameter: ParameterView, defaults: 'required' | 'all'): FilledParameter[] {
  const { name, in: location, required, examples } = parameter
  if (!required && !(defaults === 'all' && examples.length > 0)) return []
  const value = toValue(parameter)
  if (value !== undefined) return [{ ...parameter, writeForm: toFormText, value }]
  return location === 'path' ? [] : [{ ...parameter, writeForm: toFormText, value: `<${name}>` }]
}

/** The example of a parameter, else its first choice, example, default or constant; absent where there is none. */
function toValue({ examples, schema }: ParameterView): unknown {
  const [example] = examples
  if (example?.value !== undefined) return example.value
  const [choice] = schema.enum
  if (choice) return choice.value
  const fact = schema.facts.find((one) => one.kind === 'value' && ['Example', 'Default', 'Always'].includes(one.label))
  return fact?.kind === 'value' ? fact.value : undefined
}
