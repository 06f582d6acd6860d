import type { JsonObject } from './is-object.ts'

/**
 * Reads a key of a mapping, for code that sees very many mappings of different forms.
 *
 * `object['key']` in such code is a place that V8 tries to remember the form for, with a call into its runtime for every form that it has
 * forgotten: half a microsecond, most often for a key that is not there. With a key that varies it looks the key up and remembers
 * nothing. On a document of 13 MB that is a third of the whole check.
 */
export function readKey(object: JsonObject, key: string): unknown {
  return object[key]
}
