import { fc } from './properties.ts'

const firstSurrogate = 0xd800
const surrogateCount = 0x800

/**
 * Texts of any code points, as `fc.string({ unit: 'binary' })`, which takes seconds to look through Unicode before it makes the first:
 * each file of tests has to do it anew.
 */
export function anyText(options: { readonly minLength?: number; readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  const unit = fc
    .integer({ min: 0, max: 0x10ffff - surrogateCount })
    .map((point) => String.fromCodePoint(point < firstSurrogate ? point : point + surrogateCount))
  return fc.string({ ...options, unit })
}
