import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** Descriptions that use every field of the objects of OpenAPI, as plain values. */
export const everyField: readonly unknown[] = parse(readFileSync(new URL('every-field.yaml', import.meta.url), 'utf8'))
