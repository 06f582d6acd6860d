import { useMemo } from 'preact/hooks'
import { type FieldRow, FieldRows } from './fields/field-rows.tsx'
import { keyOf } from './key-of.ts'
import { Section } from './section.tsx'
import type { PlaygroundOperation, PlaygroundParameter, PlaygroundValues } from './types.ts'

const titles = { path: 'Path', query: 'Query', querystring: 'Query string', header: 'Headers', cookie: 'Cookies' } as const
const locations = ['path', 'query', 'querystring', 'header', 'cookie'] as const
const path = ['parameters']

/** The parameters of an operation, those of a location together. */
export function ParameterSections({
  operation,
  values,
}: {
  readonly operation: PlaygroundOperation
  readonly values: PlaygroundValues
}) {
  const sections = useMemo(
    () => locations.map((location) => ({ location, rows: operation.parameters.filter((one) => one.in === location).map(toRow) })),
    [operation],
  )
  return (
    <>
      {sections.map(({ location, rows }) => {
        if (rows.length === 0) return null
        const set = rows.filter(({ key }) => values.parameters[key] !== undefined).length
        return (
          <Section title={titles[location]} note={`${set} of ${rows.length} set`} isOpen={location !== 'cookie'}>
            <FieldRows rows={rows} path={path} label="" values={values.parameters} isForm={false} />
          </Section>
        )
      })}
    </>
  )
}

function toRow(parameter: PlaygroundParameter): FieldRow {
  const { name, schema, required, deprecated, description } = parameter
  return { name, key: keyOf(parameter), schema, required, deprecated, description }
}
