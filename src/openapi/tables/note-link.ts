import { toMetObject } from '../met-objects.ts'
import type { ObjectRule } from './shape.ts'

/** Notes a Link Object, whose operation may stand anywhere. */
export const noteLink: ObjectRule = (value, walk) => {
  walk.met.links.push(toMetObject(walk, value))
}
