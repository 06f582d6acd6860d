import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { isObject } from '../../src/text/json/json-values.ts'

const commands = ['check', 'changes', 'update', 'adopt', 'status', 'rules'] as const

/** A command that has a JSON schema. */
export type JsonCommand = (typeof commands)[number]

const folder = join(import.meta.dirname, '../../docs/schemas')

/** Fails if the `--format json` output of a command does not match its published schema, or has a field that the schema lacks. */
export function checkJsonOutput(command: JsonCommand, stdout: string): void {
  const validate = validators().getSchema(idOf(command))
  if (!validate) throw new Error(`docs/schemas has no schema of ${command}`)
  expect({ isValid: validate(JSON.parse(stdout)), errors: validate.errors }).toEqual({ isValid: true, errors: null })
}

let ajv: Ajv2020 | undefined

function validators(): Ajv2020 {
  if (!ajv) {
    ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
    for (const command of commands) ajv.addSchema(closeObjects(readSchema(command)))
  }
  return ajv
}

function readSchema(command: string): { [key: string]: unknown } {
  return JSON.parse(readFileSync(join(folder, `${command}.schema.json`), 'utf8'))
}

function idOf(command: string): string {
  return String(readSchema(command)['$id'])
}

/** Users must accept additional fields, but this test requires every field to be documented. */
function closeObjects(value: object): object {
  const close = (entry: unknown): unknown => {
    if (Array.isArray(entry)) return entry.map(close)
    if (!isObject(entry)) return entry
    const closed = Object.fromEntries(Object.entries(entry).map(([key, inner]) => [key, close(inner)]))
    return isObject(entry['properties']) && entry['type'] === 'object' ? { ...closed, additionalProperties: false } : closed
  }
  return close(value) as object // Maps a mapping to a mapping.
}
