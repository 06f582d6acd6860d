import { entriesOf, isContainer, isObject, listOf, readOwn, readText } from '../../text/json/json-values.ts'
import { readStored, writeStored } from '../controls/site-storage.ts'
import type { BodyValues, ExtraParameter, FieldValue, PlaygroundValues } from '../controls/types.ts'
import type { DescribedOperation } from '../request/read-operation.ts'

/** Names of values that must not be stored in the browser. */
export const secret = /pass(?:word|wd|phrase|code)|secret|token|api[-_]?key|authorization|credential|cookie|private[-_]?key/i

/** Stores the values for the tab's session, and the server for all operations with the same servers. Does nothing if storage is blocked. */
export function rememberValues(key: string, { servers }: DescribedOperation, values: PlaygroundValues): void {
  writeStored(key, withoutCredentials(values))
  writeStored(serverKey(servers), values.server)
}

const serverKey = (servers: DescribedOperation['servers']) => `playground-server:${servers.map(({ url }) => url).join(' ')}`

/** The values that may be stored: all except files, credentials and anything that looks like a credential. */
function withoutCredentials({ parameters, extras, body, otherBodies }: PlaygroundValues) {
  return {
    parameters: withoutSecrets(parameters),
    extras: extras.map((extra) => (secret.test(extra.name) ? { ...extra, value: '' } : extra)),
    body: toSafeBody(body),
    otherBodies: Object.fromEntries(Object.entries(otherBodies).map(([index, one]) => [index, toSafeBody(one)])),
  }
}

/** The initial values of an operation, overridden by the stored ones. Ignores stored values that no longer fit the operation. */
export function recallValues(key: string, operation: DescribedOperation, initial: PlaygroundValues): PlaygroundValues {
  const server = readStored(serverKey(operation.servers))
  const chosen = { ...initial, ...(isServer(server) && { server }) }
  const storedValues = readStored(key)
  if (!isObject(storedValues)) return chosen
  const { parameters, extras, body, otherBodies } = storedValues
  const fits = (one: unknown): one is BodyValues => isBody(one) && one.index < Math.max(1, operation.bodies.length)
  return {
    ...chosen,
    // `rememberValues` writes only field values.
    ...(isObject(parameters) && { parameters: parameters as PlaygroundValues['parameters'] }),
    ...(extras !== undefined && { extras: listOf(extras).filter(isExtra) }),
    ...(fits(body) && { body }),
    otherBodies: Object.fromEntries(entriesOf(otherBodies).flatMap(([, one]) => (fits(one) ? [[one.index, one]] : []))),
  }
}

function toSafeBody(body: BodyValues): BodyValues {
  return { ...body, value: withoutSecrets(body.value), text: secret.test(body.text) ? '' : body.text }
}

function withoutSecrets(value: FieldValue | undefined): FieldValue | undefined {
  if (!isContainer(value)) return value
  if (value instanceof File) return undefined
  // Members of a FieldValue are FieldValues.
  if (Array.isArray(value)) return value.flatMap((one: FieldValue) => withoutSecrets(one) ?? []) as FieldValue
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const safe = secret.test(name) ? undefined : withoutSecrets(one)
    return safe === undefined ? [] : [[name, safe]]
  })
  return Object.fromEntries(entries) as FieldValue
}

function isServer(value: unknown): value is PlaygroundValues['server'] {
  return hasTypes(value, { index: 'number' }) && isObject(readOwn(value, 'variables'))
}

function isExtra(value: unknown): value is ExtraParameter {
  const isPlaced = ['header', 'query'].some((location) => location === readText(value, 'in'))
  return isPlaced && hasTypes(value, { name: 'string', value: 'string', isOn: 'boolean' })
}

function isBody(value: unknown): value is BodyValues {
  return hasTypes(value, { index: 'number', text: 'string' }) && /^(?:raw|form)$/.test(readText(value, 'mode') ?? '')
}

function hasTypes(value: unknown, types: Readonly<Record<string, 'string' | 'number' | 'boolean'>>): boolean {
  return Object.entries(types).every(([key, type]) => typeof readOwn(value, key) === type)
}
