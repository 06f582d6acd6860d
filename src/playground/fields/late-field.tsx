import { PartNote, usePart } from '../use-part.tsx'
import type { FieldProps } from './form-context.ts'
import type { MapRowsProps } from './map-rows.tsx'

const getMoreFields = () => import('./more-fields.ts')

/** A field of the kinds that are loaded when they are drawn. */
function toLateField(kind: 'choice' | 'file' | 'array' | 'json') {
  return function LateField(props: FieldProps) {
    const part = usePart(getMoreFields)
    const More = part.module?.moreFields[kind]
    return More ? <More {...props} /> : <PartNote what={`The field ${props.label}`} part={part} />
  }
}

/** One component for each kind: a field of another kind begins anew. */
export const lateFields = {
  choice: toLateField('choice'),
  file: toLateField('file'),
  array: toLateField('array'),
  json: toLateField('json'),
} as const

export function LateMapRows(props: MapRowsProps) {
  const part = usePart(getMoreFields)
  return part.module ? <part.module.MapRows {...props} /> : <PartNote what={`Keys of ${props.label}`} part={part} />
}
