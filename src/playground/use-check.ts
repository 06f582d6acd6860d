import { useMemo } from 'preact/hooks'
import type { FormContext } from './fields/form-context.ts'
import { isPlainlyRight } from './is-plainly-right.ts'
import { mergeSchema } from './merge-schema.ts'
import type { PlaygroundOperation } from './types.ts'
import { type Part, usePart } from './use-part.tsx'

const getCheck = () => import('./check-value.ts')

/** Checks values by themselves. The rules are loaded for the first one that needs a closer look, and all are checked again then. */
export function useCheck(resolve: PlaygroundOperation['resolve']): {
  readonly check: FormContext['check']
  readonly part: Part<unknown>
} {
  const part = usePart(getCheck, false)
  const { module, isMissing } = part
  const check = useMemo<FormContext['check']>(
    () => (value, schema) => {
      if (isPlainlyRight(value, mergeSchema(schema, resolve))) return undefined
      // Once it has failed, it is for the reader to ask again.
      if (!module && !isMissing) void part.load()
      return module?.checkValue(value, schema, { resolve, isShallow: true })[0]?.message
    },
    [module, isMissing, resolve],
  )
  return { check, part }
}
