import { isObject, readOwn } from '../../../source/is-object.ts'
import { type DescribedOperation, keyOf } from '../../request/read-operation.ts'
import { toFormSchema } from '../form-schema.ts'
import { readText } from '../form-values.ts'
import { secret } from '../remember-values.ts'
import { readStored, siteKey, writeStored } from '../site-storage.ts'
import type { Credential, FieldValue, PlaygroundValues } from '../types.ts'

/** Variables with a common purpose, such as a test system. Fields use them as `{{name}}`. */
export interface Environment {
  readonly name: string
  readonly variables: readonly { readonly name: string; readonly value: string }[]
}

export interface Environments {
  /** The index of the selected one; -1 for none. */
  readonly selected: number
  readonly all: readonly Environment[]
}

const key = () => siteKey('playground-environments')

/** The environments of this site. Values of variables with names such as `token` are kept for the tab only. */
export function readEnvironments(): Environments {
  const found = readStored(key())
  const secrets = readStored(key(), 'sessionStorage')
  const list = isObject(found) && Array.isArray(found['all']) ? found['all'] : []
  const all = list.filter(isEnvironment).map(({ name, variables }) => ({
    name,
    variables: variables.map((variable) => {
      const secret = isObject(secrets) ? readOwn(secrets, `${name} ${variable.name}`) : undefined
      return typeof secret === 'string' ? { ...variable, value: secret } : variable
    }),
  }))
  const selected = isObject(found) ? Number(found['selected']) : -1
  return { selected: all[selected] ? selected : -1, all }
}

export function writeEnvironments({ selected, all }: Environments): void {
  const secrets: [string, string][] = []
  const stored = all.map(({ name, variables }) => ({
    name,
    variables: variables.map((variable) => {
      if (!isSecret(variable.name)) return variable
      secrets.push([`${name} ${variable.name}`, variable.value])
      return { ...variable, value: '' }
    }),
  }))
  writeStored(key(), all.length === 0 ? undefined : { selected, all: stored })
  writeStored(key(), secrets.length === 0 ? undefined : Object.fromEntries(secrets), 'sessionStorage')
}

/** Whether a variable is treated like a credential: not stored in the browser, and not part of code samples. */
export function isSecret(name: string): boolean {
  return secret.test(name)
}

/**
 * Replaces `{{name}}` in all texts of the values. A text that is only a variable becomes a number if its schema allows no text. Unknown variables
 * are unchanged. With `isShared`, leaves out the variables that are treated like credentials.
 */
export function fillVariables(
  { parameters: described, bodies, resolve }: DescribedOperation,
  values: PlaygroundValues,
  { variables }: Environment,
  isShared = false,
): PlaygroundValues {
  const byName = new Map(variables.filter(({ name }) => !isShared || !isSecret(name)).map(({ name, value }) => [name, value]))
  const fillText = (text: string) => text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (whole, name: string) => byName.get(name) ?? whole)
  const fill = (value: FieldValue, schema: unknown): FieldValue => {
    if (typeof value === 'string') {
      const text = fillText(value)
      const { types } = toFormSchema(schema, resolve)
      return text === value || types.length === 0 ? text : (readText(text, types) ?? text)
    }
    if (!isObject(value) && !Array.isArray(value)) return value
    if (value instanceof File) return value
    const { properties, keywords } = toFormSchema(schema, resolve)
    // Members of a FieldValue are FieldValues.
    if (Array.isArray(value)) return value.map((item: FieldValue) => fill(item, keywords['items']))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one as FieldValue, properties.get(name))]))
  }
  const { server, parameters, extras, body, credentials } = values
  return {
    ...values,
    server: { ...server, variables: mapValues(server.variables, fillText) },
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([id, value]) => [id, fill(value, described.find((one) => keyOf(one) === id)?.schema)]),
    ),
    extras: extras.map((extra) => ({ ...extra, name: fillText(extra.name), value: fillText(extra.value) })),
    body: {
      ...body,
      text: fillText(body.text),
      value: body.value === undefined ? undefined : fill(body.value, bodies[body.index]?.schema),
    },
    credentials: {
      ...credentials,
      byScheme: mapValues(credentials.byScheme, (one) => {
        const filled = Object.entries(one).map(([name, text]) => [name, typeof text === 'string' ? fillText(text) : text])
        // The same keys, with texts replaced by texts.
        return Object.fromEntries(filled) as Credential
      }),
    },
  }
}

function mapValues<Value>(values: Readonly<Record<string, Value>>, change: (value: Value) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

function isEnvironment(value: unknown): value is Environment {
  if (!isObject(value) || typeof value['name'] !== 'string' || !Array.isArray(value['variables'])) return false
  return value['variables'].every((one) => isObject(one) && typeof one['name'] === 'string' && typeof one['value'] === 'string')
}
