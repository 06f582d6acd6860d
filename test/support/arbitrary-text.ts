import { fc } from './properties.ts'

const firstSurrogate = 0xd800
const surrogateCount = 0x800

/** Strings of any code points, like `fc.string({ unit: 'binary' })`, which needs seconds per test file to prepare Unicode. */
export function arbitraryText(options: { readonly minLength?: number; readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  const unit = fc
    .integer({ min: 0, max: 0x10ffff - surrogateCount })
    .map((point) => String.fromCodePoint(point < firstSurrogate ? point : point + surrogateCount))
  return fc.string({ ...options, unit })
}
