import { parseWrittenJson } from '../../text/json/json-values.ts'

/** A JSON value from the session of the tab; `undefined` if there is none or storage is blocked. */
export function readStored(key: string): unknown {
  try {
    return parseWrittenJson(sessionStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a JSON value for the session of the tab, or removes it if it is `undefined`. Does nothing if storage is blocked or full. */
export function writeStored(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // What is stored is only a convenience.
  }
}
