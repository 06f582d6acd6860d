import { defaultLimits, type Limits, type LimitValues } from '../../src/source/limits.ts'

/** The usual limits with some of other values. */
export function withLimits(values: Partial<LimitValues>): Limits {
  return { ...defaultLimits, values: { ...defaultLimits.values, ...values } }
}
