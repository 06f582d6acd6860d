import { isObject } from '../../source/is-object.ts'
import type { BodyValues, FieldValue, PlaygroundOperation, PlaygroundValues } from './types.ts'

/** Names of values that must not be stored in the browser. */
const secret = /pass(?:word|wd|phrase|code)|secret|token|api[-_]?key|authorization|credential|cookie|private[-_]?key/i

/**
 * Stores the values for the tab's session, except for files, credentials and anything that looks like a credential. Does nothing if storage is
 * blocked.
 */
export function rememberValues(key: string, { server, parameters, body, otherBodies }: PlaygroundValues): void {
  const kept = {
    server,
    parameters: Object.fromEntries(
      Object.entries(parameters).flatMap(([name, value]) => {
        const safe = secret.test(name) ? undefined : withoutSecrets(value)
        return safe === undefined ? [] : [[name, safe]]
      }),
    ),
    body: toSafeBody(body),
    otherBodies: Object.fromEntries(Object.entries(otherBodies).map(([index, one]) => [index, toSafeBody(one)])),
  }
  try {
    sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Storage is full or blocked.
  }
}

/** The initial values of an operation, overridden by the stored ones. Ignores stored values that no longer fit the operation. */
export function recallValues(key: string, operation: PlaygroundOperation, initial: PlaygroundValues): PlaygroundValues {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (!isObject(kept)) return initial
    const { server, parameters, body, otherBodies } = kept
    const fits = (one: unknown): one is BodyValues => isBody(one) && one.index < Math.max(1, operation.bodies.length)
    return {
      ...initial,
      ...(isServer(server) && { server }),
      // `rememberValues` writes only field values.
      ...(isObject(parameters) && { parameters: parameters as PlaygroundValues['parameters'] }),
      ...(fits(body) && { body }),
      otherBodies: Object.fromEntries(
        Object.values(isObject(otherBodies) ? otherBodies : {}).flatMap((one) => (fits(one) ? [[one.index, one]] : [])),
      ),
    }
  } catch {
    return initial
  }
}

export function forgetValues(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was stored.
  }
}

function toSafeBody(body: BodyValues): BodyValues {
  return { ...body, value: withoutSecrets(body.value), text: secret.test(body.text) ? '' : body.text }
}

function withoutSecrets(value: FieldValue | undefined): FieldValue | undefined {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof File) return undefined
  // Members of a FieldValue are FieldValues.
  if (Array.isArray(value)) return value.flatMap((one: FieldValue) => withoutSecrets(one) ?? []) as FieldValue
  const entries = Object.entries(value).filter(([name, one]) => !secret.test(name) && withoutSecrets(one) !== undefined)
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutSecrets(one)])) as FieldValue
}

function isServer(value: unknown): value is PlaygroundValues['server'] {
  return isObject(value) && typeof value['index'] === 'number' && isObject(value['variables'])
}

function isBody(value: unknown): value is BodyValues {
  return (
    isObject(value) &&
    typeof value['index'] === 'number' &&
    typeof value['text'] === 'string' &&
    (value['mode'] === 'raw' || value['mode'] === 'form')
  )
}
