import { boolCoreTag, floatCoreTag, intCoreTag, NOT_RESOLVED, nullCoreTag } from 'js-yaml'

/** By the code of its first sign, what a plain scalar can be other than a text; nothing for most, which are spared the question. */
const tagsByStart = Array.from({ length: 128 }, (_, code) => {
  const tags = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag].filter(({ implicitFirstChars }) =>
    implicitFirstChars?.includes(String.fromCharCode(code)),
  )
  return tags.length > 0 ? tags : undefined
})

/** The null, boolean or number that a plain scalar stands for; the scalar itself where it is a text. Source: YAML 1.2.2, section 10.3.2. */
export function resolvePlainScalar(written: string): unknown {
  const tags = tagsByStart[written.charCodeAt(0)]
  // To go through an empty list for each scalar is an eighth of all the garbage.
  if (!tags) return written
  for (const tag of tags) {
    const value: unknown = tag.resolve(written, false, tag.tagName)
    if (value !== NOT_RESOLVED) return value
  }
  return written
}
