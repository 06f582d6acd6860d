import { readWriteOnly } from '../checks/read-write-only.ts'
import { requiredProperty } from '../checks/required-property.ts'
import { toMetObject } from '../met-objects.ts'
import { noteAs } from './note-described.ts'
import type { ObjectRule } from './shape.ts'

/** The fields that `checkSchema` is about. Most schemas have none of them, and there are tens of thousands. */
export const schemaRuleFields = ['required', 'readOnly', 'discriminator', 'default', 'enum', 'example', 'examples'] as const

/** What is to be looked at in a Schema Object as a whole. */
export const checkSchema: ObjectRule = (value, walk, table) => {
  if (value['required'] !== undefined) requiredProperty(value, walk, table)
  if (value['readOnly'] === true) readWriteOnly(value, walk, table)
  if (value['discriminator'] !== undefined) walk.met.discriminators.push(toMetObject(walk, value))
  // Keywords of another dialect mean something else.
  if (walk.met.wantsDescribed && hasValues(value)) noteAs('Schema', value, walk)
}

function hasValues(value: { readonly [key: string]: unknown }): boolean {
  return (
    value['example'] !== undefined ||
    value['examples'] !== undefined ||
    value['default'] !== undefined ||
    value['enum'] !== undefined
  )
}
