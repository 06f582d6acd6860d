import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, type JsonObject } from '../../text/json/json-values.ts'
import { suggest } from '../../text/plain/suggest.ts'
import type { OpenApiRelease } from '../types.ts'

/** The version of an entry document. `release` is absent if the document cannot be checked. */
interface DetectedVersion {
  readonly release: OpenApiRelease | undefined
  /** As written in the document, or `''`. */
  readonly version: string
  readonly findings: readonly Finding[]
}

const supportedVersionsHint = 'Use OpenAPI 3.0, 3.1 or 3.2'

/**
 * Reads the `openapi` field of an entry document. Source: OpenAPI 3.1.1, "Versions".
 *
 * Returns at most one diagnostic. An incomplete version such as `openapi: 3.1` has a diagnostic and a release.
 */
export function detectVersion(file: string, value: unknown): DetectedVersion {
  const fail = (finding: Omit<Finding, 'file'>, version = ''): DetectedVersion => ({
    release: undefined,
    version,
    findings: [{ file, ...finding }],
  })
  if (typeof value === 'string' && /^<(?:!doctype|html|head|body)/i.test(value)) {
    const message = 'Unexpected HTML page, expected an OpenAPI document'
    return fail({
      code: 'not-openapi',
      pointer: '',
      message,
      hint: 'Name the OpenAPI document itself, not the page that shows it',
    })
  }
  if (!isObject(value)) {
    const message = 'Unexpected content, expected an OpenAPI document: a mapping with `openapi`, `info` and `paths`'
    return fail({ code: 'not-openapi', pointer: '', message })
  }
  if (Object.hasOwn(value, 'openapi')) return readOpenapiField(file, value['openapi'])
  if (Object.hasOwn(value, 'swagger')) return fail(swaggerFinding(value['swagger']), String(value['swagger']))
  for (const [key, name] of otherDocuments) {
    if (!Object.hasOwn(value, key)) continue
    const message = `Unexpected ${name} document, expected an OpenAPI document`
    const hint = key === 'overlay' ? { hint: 'Name the document that it changes, and this file with `--overlay`' } : {}
    return fail({ code: 'not-openapi', pointer: `/${key}`, on: 'key', message, ...hint })
  }
  const client = findApiClient(value)
  if (client) {
    const message = `Unexpected ${client.name}, expected an OpenAPI document`
    return fail({ code: 'not-openapi', pointer: '', message, hint: client.hint })
  }
  return fail(missingFinding(value))
}

/** Detects collections of API clients, which are also JSON or YAML. */
function findApiClient(value: JsonObject): { readonly name: string; readonly hint: string } | undefined {
  const info = isObject(value['info']) ? value['info'] : {}
  const isPostman =
    Object.hasOwn(info, '_postman_id') ||
    String(info['schema'] ?? '').includes('schema.getpostman.com') ||
    Object.hasOwn(value, '_postman_variable_scope')
  if (isPostman) {
    return { name: 'Postman collection', hint: 'Convert it to OpenAPI first, for example with `npx postman-to-openapi`' }
  }
  const isInsomnia =
    (value['_type'] === 'export' && Object.hasOwn(value, '__export_format')) ||
    String(value['type'] ?? '').includes('insomnia.rest/')
  if (!isInsomnia) return undefined
  return { name: 'Insomnia export', hint: 'Export the design document from Insomnia as OpenAPI' }
}

/** Documents of other specifications, by the field with their version. */
const otherDocuments = [
  ['asyncapi', 'AsyncAPI'],
  ['arazzo', 'Arazzo'],
  ['overlay', 'Overlay'],
] as const

function readOpenapiField(file: string, value: unknown): DetectedVersion {
  const pointer = '/openapi'
  const section = 'OpenAPI 3.1.1, OpenAPI Object'
  const written = String(value)
  const release = /^3\.[012](?=$|\.)/.exec(written)?.[0] as OpenApiRelease | undefined // The pattern has only these three.
  if (typeof value === 'number') {
    const text = release ?? (value === 3 ? '3.0' : undefined)
    const message = 'Unexpected number for `openapi`, expected a string'
    const hint = isLater(written)
      ? latestVersionHint
      : text === undefined
        ? supportedVersionsHint
        : `Write all three numbers: \`openapi: ${text}.${latestPatch[text]}\``
    return { release: text, version: written, findings: [{ file, pointer, section, code: 'wrong-type', message, hint }] }
  }
  if (typeof value !== 'string') {
    const message = 'Unexpected value for `openapi`, expected a version such as `3.1.1`'
    return { release: undefined, version: '', findings: [{ file, pointer, section, code: 'wrong-type', message }] }
  }
  if (release && /^3\.(?:0\.\d|[12]\.\d+)(?:-.+)?$/.test(value)) return { release, version: value, findings: [] }
  const finding: Finding = {
    file,
    pointer,
    section,
    code: 'unsupported-version',
    message: `Unexpected version \`${cut(value)}\` for \`openapi\`, expected 3.0.x, 3.1.x or 3.2.x`,
    hint: isLater(value)
      ? latestVersionHint
      : release
        ? `Write all three numbers: \`${release}.${latestPatch[release]}\``
        : supportedVersionsHint,
  }
  return { release, version: value, findings: [finding] }
}

/** Drafts of later versions. Their documents can usually be read as the latest version. */
function isLater(version: string): boolean {
  const minor = /^3\.(\d{1,3})(?=$|[.-])/.exec(version)?.[1]
  return minor !== undefined && Number(minor) > 2
}

const latestVersionHint = 'Write `openapi: 3.2.0` until this version is released'

const latestPatch: Readonly<Record<OpenApiRelease, number>> = { '3.0': 4, '3.1': 1, '3.2': 0 }

function swaggerFinding(version: unknown): Omit<Finding, 'file'> {
  return {
    code: 'unsupported-version',
    pointer: '/swagger',
    message: `Unexpected Swagger ${cut(String(version))} document, expected OpenAPI 3.0, 3.1 or 3.2`,
    hint: 'Convert it with `npx swagger2openapi <file> --outfile openapi.yaml`',
  }
}

function missingFinding(value: JsonObject): Omit<Finding, 'file'> {
  const near = suggest('openapi', Object.keys(value).slice(0, 50))
  if (near !== undefined) {
    const message = `Missing \`openapi\` in the OpenAPI Object, found \`${near}\``
    return {
      code: 'not-openapi',
      pointer: `/${near.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      on: 'key',
      message,
      hint: 'Did you mean `openapi`?',
    }
  }
  const looksLikeOne = ['paths', 'info', 'components', 'webhooks'].some((key) => Object.hasOwn(value, key))
  const message = looksLikeOne
    ? 'Missing `openapi` in the OpenAPI Object'
    : 'Unexpected content, expected an OpenAPI document: the `openapi` field is missing'
  return { code: 'not-openapi', pointer: '', message, ...(looksLikeOne ? { hint: 'Add `openapi: 3.1.1`' } : {}) }
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
