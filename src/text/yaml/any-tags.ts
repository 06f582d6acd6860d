import { binaryTag, CORE_SCHEMA, defineMappingTag, defineScalarTag, defineSequenceTag, mapTag, mergeTag, seqTag } from 'js-yaml'

const text = { resolve: (source: string): unknown => source, identify: () => false }

/** For files whose tags would construct objects in other programs. Each is text here, or a plain list or mapping; only `!binary` is bytes. */
export const anyTags = CORE_SCHEMA.withTags(
  mergeTag,
  ...['!', 'tag:'].flatMap((tag) => [
    defineScalarTag(tag, { ...text, matchByTagPrefix: true }),
    defineSequenceTag(tag, { ...seqTag, matchByTagPrefix: true }),
    defineMappingTag(tag, { ...mapTag, matchByTagPrefix: true }),
  ]),
  // The decoder of the library refuses line breaks and missing padding.
  ...['!binary', binaryTag.tagName].map((tag) =>
    defineScalarTag(tag, { ...text, resolve: (source: string) => new Uint8Array(Buffer.from(source, 'base64')) }),
  ),
)
