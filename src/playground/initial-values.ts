import { isFormType, isJsonType, isXmlType } from '../request/media-type.ts'
import { keyOf } from './key-of.ts'
import { toRawText } from './to-raw-text.ts'
import { toFieldValue, toValue } from './to-value.ts'
import type {
  BodyValues,
  FieldValue,
  PlaygroundBody,
  PlaygroundOperation,
  PlaygroundSettings,
  PlaygroundValues,
} from './types.ts'

/** What stands in the dialog before anything is typed: defaults of what is required, and with `prefill` what the document has as examples. */
export function initialValues(operation: PlaygroundOperation, { prefill, defaults }: PlaygroundSettings): PlaygroundValues {
  const { parameters, resolve } = operation
  const filled: Record<string, FieldValue> = {}
  for (const parameter of parameters) {
    const isShown = parameter.required || defaults === 'all'
    const value =
      prefill && isShown && parameter.example !== undefined
        ? toFieldValue(parameter.example)
        : parameter.required
          ? toValue(parameter.schema, { resolve, as: 'needed' })
          : undefined
    // Optional lists and objects begin as not sent.
    if (value !== undefined) filled[keyOf(parameter)] = value
  }
  return {
    server: { index: 0, variables: {} },
    parameters: filled,
    body: initialBody(operation, 0, prefill),
    credentials: { alternative: operation.security.length > 0 ? 0 : -1, byScheme: {} },
  }
}

/** A body of one media type before anything is typed. */
export function initialBody(
  { bodies, isBodyRequired, resolve }: PlaygroundOperation,
  index: number,
  prefill: boolean,
): BodyValues {
  const body = bodies[index]
  if (!body) return { index, mode: 'raw', value: undefined, text: '' }
  const [example] = body.examples
  const value = !isBodyRequired
    ? undefined
    : prefill && example
      ? toFieldValue(example.value)
      : toValue(body.schema, { resolve, as: 'needed' })
  return toBody(body, index, value)
}

/** A body that holds a value, in the form where there is one. */
export function toBody(body: PlaygroundBody, index: number, value: FieldValue | undefined): BodyValues {
  // XML that is written out cannot be taken apart again here.
  const isWritten = isXmlType(body.mediaType) && typeof value === 'string'
  const mode = hasForm(body) && !isWritten ? 'form' : 'raw'
  return { index, mode, value, text: mode === 'form' ? '' : toRawText(value, isJsonType(body.mediaType)) }
}

/** Whether a media type is filled in as a form: names and values, or a file. */
export function hasForm({ mediaType, schema }: PlaygroundBody): boolean {
  return isFormData(mediaType) || isBinary(mediaType) || ((isJsonType(mediaType) || isXmlType(mediaType)) && schema !== undefined)
}

/** Whether a body is a file as it is. */
export function isBinary(mediaType: string): boolean {
  return /^(?:application\/(?:octet-stream|zip|gzip|pdf)|image|audio|video|font)(?:\/(?!svg)|\b)/i.test(mediaType)
}

/** Whether a body is a form of HTML's kinds. */
export function isFormData(mediaType: string): boolean {
  return isFormType(mediaType) || /^multipart\//i.test(mediaType)
}
