import { isObject } from '../text/is-object.ts'
import type { BodyValues, FieldValue, PlaygroundOperation, PlaygroundValues } from './types.ts'

/** Names whose values nobody wants to find in a browser's storage. */
const secret = /pass(?:word|wd|phrase|code)|secret|token|api[-_]?key|authorization|credential|cookie|private[-_]?key/i

/**
 * Keeps what was typed as long as the tab lives; without credentials, whatever looks like one, and files, which a browser cannot keep.
 * Where a page may keep nothing, nothing is kept.
 */
export function rememberValues(key: string, { server, parameters, body }: PlaygroundValues): void {
  const kept = {
    server,
    parameters: Object.fromEntries(
      Object.entries(parameters).flatMap(([name, value]) => {
        const safe = secret.test(name) ? undefined : withoutSecrets(value)
        return safe === undefined ? [] : [[name, safe]]
      }),
    ),
    body: { ...body, value: withoutSecrets(body.value), text: secret.test(body.text) ? '' : body.text },
  }
  try {
    sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Full, or not allowed.
  }
}

/** What was kept for an operation, in place of what stands in the dialog at first. An operation that has changed keeps only what it still has. */
export function recallValues(key: string, operation: PlaygroundOperation, initial: PlaygroundValues): PlaygroundValues {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (!isObject(kept)) return initial
    const { server, parameters, body } = kept
    return {
      ...initial,
      ...(isServer(server) && { server }),
      // Written above, from values of fields.
      ...(isObject(parameters) && { parameters: parameters as PlaygroundValues['parameters'] }),
      ...(isBody(body) && body.index < Math.max(1, operation.bodies.length) && { body }),
    }
  } catch {
    return initial
  }
}

export function forgetValues(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}

function withoutSecrets(value: FieldValue | undefined): FieldValue | undefined {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof File) return undefined
  // FieldValue all the way down.
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
