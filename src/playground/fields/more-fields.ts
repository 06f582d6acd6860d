import { ChoiceField } from './choice-field.tsx'
import { FileField } from './file-field.tsx'
import { JsonField } from './json-field.tsx'
import { ListField } from './list-field.tsx'

export { MapRows } from './map-rows.tsx'

/** The fields that many forms have none of, by their kinds; loaded where one is drawn. */
export const moreFields = { choice: ChoiceField, file: FileField, array: ListField, json: JsonField } as const
