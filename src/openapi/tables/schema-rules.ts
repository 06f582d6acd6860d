import { readKey } from '../../text/is-object.ts'
import { arrayItems } from '../checks/array-items.ts'
import { readWriteOnly } from '../checks/read-write-only.ts'
import { requiredProperty } from '../checks/required-property.ts'
import { toMetObject } from '../met-objects.ts'
import type { ObjectRule } from './shape.ts'

/** The fields that `checkSchema` is about. Most schemas have none of them, and there are tens of thousands. */
export const schemaRuleFields = ['required', 'readOnly', 'discriminator'] as const

/** What is to be looked at in a Schema Object as a whole. */
export const checkSchema: ObjectRule = (value, walk, table) => {
  if (readKey(value, 'required') !== undefined) requiredProperty(value, walk, table)
  if (readKey(value, 'readOnly') === true) readWriteOnly(value, walk, table)
  if (readKey(value, 'discriminator') !== undefined) walk.met.discriminators.push(toMetObject(walk, value))
}

/** From 3.1 on JSON Schema decides, where `items` is optional. */
export const checkSchema30: ObjectRule = (value, walk, table) => {
  checkSchema(value, walk, table)
  arrayItems(value, walk, table)
}
