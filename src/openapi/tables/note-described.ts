import type { JsonObject } from '../../text/is-object.ts'
import { type DescribedValues, toMetObject } from '../met-objects.ts'
import type { Walk } from '../walk.ts'
import type { ObjectRule } from './shape.ts'

/** Notes a Parameter, Header or Media Type Object with examples. */
export const noteDescribed: ObjectRule = (value, walk, table) => {
  if (!walk.met.wantsDescribed || (value['example'] === undefined && value['examples'] === undefined)) return
  // The tables call it for these three kinds only.
  noteAs(table.key as DescribedValues['kind'], value, walk)
}

/** Notes an object for the checks of examples, defaults and enums. */
export function noteAs(kind: DescribedValues['kind'], value: JsonObject, walk: Walk): void {
  walk.met.described.push({ kind, ...toMetObject(walk, value) })
}
