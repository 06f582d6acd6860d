import { parseWrittenJson } from '../../text/json/json-values.ts'

/** A JSON value from the browser's storage; `undefined` if there is none or storage is blocked. */
export function readStored(key: string, storage: 'localStorage' | 'sessionStorage' = 'localStorage'): unknown {
  try {
    return parseWrittenJson(window[storage].getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a JSON value, or removes it if it is `undefined`. Does nothing if storage is blocked or full. */
export function writeStored(key: string, value: unknown, storage: 'localStorage' | 'sessionStorage' = 'localStorage'): void {
  try {
    if (value === undefined) window[storage].removeItem(key)
    else window[storage].setItem(key, JSON.stringify(value))
  } catch {
    // What is stored is only a convenience.
  }
}
