import { defaultLimits, type Limits, type LimitValues } from '../../src/text/plain/limits.ts'

/** The default limits with some values replaced. */
export function withLimits(values: Partial<LimitValues>): Limits {
  return { ...defaultLimits, values: { ...defaultLimits.values, ...values } }
}
