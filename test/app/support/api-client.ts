import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { isObject, valueAtPointer } from '../../../src/text/json/json-values.ts'

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or the text. */
  readonly body: unknown
  readonly text: string
}

interface ApiRequest {
  readonly method?: string
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
}

export interface ApiClient {
  readonly address: string
  /** The service's own description. */
  readonly description: Readonly<Record<string, unknown>>
  (path: string, request?: ApiRequest): Promise<ApiAnswer>
}

const compiled = new Map<string, Ajv2020>()

/** Compiles a description once for all apps of the process, which differ in their address only. */
function compileOnce({ paths, components }: Readonly<Record<string, unknown>>): Ajv2020 {
  const key = JSON.stringify({ paths, components })
  const known = compiled.get(key)
  if (known) return known
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  // The export of a CommonJS module, which TypeScript sees as its namespace.
  const add = addFormats as unknown as (instance: Ajv2020) => void
  add(ajv)
  ajv.addSchema({ $id: 'description', paths, components })
  compiled.set(key, ajv)
  return ajv
}

/** Creates a client that fails the test if a response does not match the OpenAPI description: status, type, headers and body. */
export async function createApiClient(address: string): Promise<ApiClient> {
  const description: unknown = await (await fetch(`${address}/v1/openapi.json`)).json()
  if (!isObject(description)) throw new Error('No description')
  const ajv = compileOnce(description)
  const call = async (path: string, { method = 'GET', token, headers = {}, body }: ApiRequest = {}): Promise<ApiAnswer> => {
    const response = await fetch(`${address}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: /json/.test(type) && text ? JSON.parse(text) : text,
    }
    checkAnswer(path, method, answer)
    return answer
  }
  const checkAnswer = (path: string, method: string, { status, headers, body }: ApiAnswer) => {
    const template = findTemplate(description, path)
    if (template === undefined) return
    const pointer = `/paths/${template.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`
    if (valueAtPointer(description, pointer) === undefined) return
    const own = `${pointer}/responses/${status}`
    const promised = valueAtPointer(description, own)
    expect(promised, `${method} ${template} returned ${status}, which is not described`).toBeDefined()
    const shared = isObject(promised) ? promised['$ref'] : undefined
    const at = typeof shared === 'string' ? shared.slice(1) : own
    const content = valueAtPointer(description, `${at}/content`)
    const type = (headers.get('content-type') ?? '').split(';', 1)[0] ?? ''
    expect(isObject(content) ? Object.keys(content) : [''], `type of ${status} of ${template}`).toContain(type)
    if (type.includes('json') && method !== 'HEAD') {
      const schema = `description#${encodeURI(`${at}/content/${type.replaceAll('/', '~1')}/schema`)}`
      const validate = ajv.getSchema(schema) ?? ajv.compile({ $ref: schema })
      expect(validate(body) ? [] : validate.errors, `body of ${status} of ${template}`).toEqual([])
    }
    const named = valueAtPointer(description, `${at}/headers`)
    const known = new Set(Object.keys(isObject(named) ? named : {}).map((name) => name.toLowerCase()))
    for (const name of ['etag', 'retry-after', 'www-authenticate', 'preference-applied']) {
      if (headers.has(name)) expect(known, `headers of ${status} of ${template}`).toContain(name)
    }
  }
  return Object.assign(call, { address, description })
}

function findTemplate(description: Readonly<Record<string, unknown>>, path: string): string | undefined {
  const paths = isObject(description['paths']) ? Object.keys(description['paths']) : []
  const plain = path.split('?', 1)[0] ?? ''
  return paths.find((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(plain))
}
