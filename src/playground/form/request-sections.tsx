import { useMemo, useState } from 'preact/hooks'
import { toPlace } from '../../model/api.ts'
import { locations } from '../../model/parameters.ts'
import { isFormData, isJsonType } from '../../model/written-values.ts'
import type { FollowReference } from '../../openapi/references/follow-reference.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { LoadingNote, useLazyModule } from '../controls/loading.tsx'
import { Icon, Section } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import type { BodyValues, ExtraParameter, FieldValue, PlaygroundValues } from '../controls/types.ts'
import { type DescribedBody, type DescribedOperation, type DescribedParameter, keyOf } from '../request/read-operation.ts'
import type { Schema } from '../request/read-schema.ts'
import { Field, type FieldRow, FieldRows } from './field.tsx'
import { hasForm, selectMediaType, toBody, toExampleBody, toRawText } from './form-values.ts'

interface BodySectionProps {
  readonly operation: DescribedOperation
  readonly values: PlaygroundValues
  readonly onChange: (part: Partial<PlaygroundValues>) => void
}

const getRawBody = () => import('./raw-body.tsx')

/** The body: its media type, and a form or a text editor. */
export function BodySection({ operation, values, onChange }: BodySectionProps) {
  const { bodies, isBodyRequired, follow } = operation
  const { body } = values
  const description = bodies[body.index]
  /** Why the form cannot show the text. */
  const [refusal, setRefusal] = useState<string>()
  /** Changes when an example is filled in, so that the form is created again. */
  const [round, setRound] = useState(0)
  const raw = useLazyModule(getRawBody, body.mode === 'raw' && description !== undefined)
  if (!description) return null
  const set = (next: Partial<BodyValues>) => {
    setRefusal(undefined)
    onChange({ body: { ...body, ...next } })
  }
  const fill = (value: FieldValue | undefined) => {
    setRound(round + 1)
    set({
      ...toBody(description, body.index, value),
      ...(body.mode === 'raw' &&
        isJsonType(description.mediaType) && { mode: 'raw', text: toRawText(value, isJsonType(description.mediaType)) }),
    })
  }
  const toForm = () => {
    const found = raw.module?.fromJsonText(body.text)
    // The editor is not loaded yet.
    if (!found) return
    if ('problem' in found) return setRefusal(found.problem)
    setRound(round + 1)
    set({ mode: 'form', value: found.value })
  }
  const canSwitch = isJsonType(description.mediaType) && hasForm(description)
  return (
    <Section
      title={say('Body')}
      note={bodies.length === 1 ? description.mediaType : isBodyRequired ? say('required') : say('optional')}
    >
      {bodies.length > 1 && (
        <div class="row">
          <span class="p-name">{say('Media type')}</span>
          <select
            class="in"
            aria-label={say('Body media type')}
            value={String(body.index)}
            onChange={({ currentTarget }) => {
              setRefusal(undefined)
              onChange(selectMediaType(operation, values, Number(currentTarget.value)))
            }}
          >
            {bodies.map(({ mediaType }, index) => (
              <option value={String(index)}>{mediaType}</option>
            ))}
          </select>
        </div>
      )}
      <div class="body-tools">
        {canSwitch && (
          <EditorChoice mode={body.mode} onForm={toForm} onRaw={() => set({ mode: 'raw', text: toRawText(body.value, true) })} />
        )}
        <Examples description={description} follow={follow} onFill={fill} />
        <button type="button" class="btn quiet" onClick={() => fill(undefined)}>
          {say('Clear')}
        </button>
      </div>
      {refusal !== undefined && (
        <p class="row wide err" role="alert">
          {say('{problem}. Your text was not changed.', refusal)}
        </p>
      )}
      {body.mode === 'raw' ? (
        raw.module ? (
          <raw.module.RawBody
            key={`${description.mediaType} ${round}`}
            description={description}
            text={body.text}
            schemas={operation}
            onInput={(text) => set({ text })}
          />
        ) : (
          <LoadingNote what={say('The body editor')} part={raw} />
        )
      ) : (
        <div class="body-form" key={`${body.index} ${round}`}>
          <Field
            path={bodyPath}
            label={say('Body')}
            schema={toFormSchema(description)}
            value={body.value}
            required={isBodyRequired}
            isForm={isFormData(description.mediaType) || description.isFile === true}
          />
        </div>
      )}
    </Section>
  )
}

interface EditorChoiceProps {
  readonly mode: BodyValues['mode']
  readonly onForm: () => void
  readonly onRaw: () => void
}

/** The choice between the form and the text of a body. */
function EditorChoice({ mode, onForm, onRaw }: EditorChoiceProps) {
  return (
    <div class="tabs seg">
      <fieldset>
        <legend class="vh">{say('Body editor')}</legend>
        <label>
          <input type="radio" name="play-mode" checked={mode === 'form'} onChange={onForm} /> {say('Form')}
        </label>
        <label>
          <input type="radio" name="play-mode" checked={mode === 'raw'} onChange={onRaw} /> {say('Raw')}
        </label>
      </fieldset>
    </div>
  )
}

/** The schema for the form. Without a schema, form data can have any fields. */
function toFormSchema({ mediaType, schema, isFile }: DescribedBody): Schema {
  if (isFile) return toPlace({ type: 'string', format: 'binary' })
  return schema ?? (isFormData(mediaType) ? toPlace({ type: 'object' }) : undefined)
}

const bodyPath = ['body']

interface ExamplesProps {
  readonly description: DescribedBody
  readonly follow: FollowReference
  readonly onFill: (value: FieldValue | undefined) => void
}

/** Fills the body with an example from the document, or with one generated from the schema. */
function Examples({ description, follow, onFill }: ExamplesProps) {
  const { examples, mediaType } = description
  if (description.isFile) return null
  if (examples.length > 1) {
    return (
      <span class="has-pick">
        <select
          class="pick"
          aria-label={say('Use an example')}
          value=""
          onChange={({ currentTarget }) => {
            const example = examples[Number(currentTarget.value)]
            if (!example) return
            onFill(example.value as FieldValue)
            chooseOnPage(mediaType, example.name)
            currentTarget.value = ''
          }}
        >
          <option value="">{say('Use an example')}</option>
          {examples.map(({ name, summary }, index) => (
            <option value={String(index)}>{summary ?? name}</option>
          ))}
        </select>
        <Icon name="down" />
      </span>
    )
  }
  return (
    <button type="button" class="btn quiet" onClick={() => onFill(toExampleBody(description, follow))}>
      {say('Use an example')}
    </button>
  )
}

/** Selects the example in the samples of the page, which also select the response example of the same name. */
function chooseOnPage(mediaType: string, name: string): void {
  const menu = document.querySelector<HTMLSelectElement>('select[data-bodies]')
  const options = [...(menu?.options ?? [])]
  const index = options.findIndex(({ dataset }) => dataset['media'] === mediaType && dataset['example'] === name)
  if (!menu || index === -1) return
  menu.selectedIndex = index
  menu.dispatchEvent(new Event('change', { bubbles: true }))
}

interface ExtraSectionProps {
  readonly extras: readonly ExtraParameter[]
  readonly onChange: (extras: readonly ExtraParameter[]) => void
}

const getExtraFields = () => import('./extra-fields.tsx')

/** Headers and query parameters that the document does not describe. Its fields load when the reader opens it. */
export function ExtraSection({ extras, onChange }: ExtraSectionProps) {
  const [isOpen, setOpen] = useState(extras.length > 0)
  const part = useLazyModule(getExtraFields, isOpen)
  const sent = extras.filter(({ isOn }) => isOn).length
  return (
    <Section
      title={say('Custom headers and query')}
      note={extras.length > 0 && say('{count} of {total} on', sent, extras.length)}
      isOpen={isOpen}
      onToggle={setOpen}
    >
      {part.module ? (
        <part.module.ExtraFields extras={extras} onChange={onChange} />
      ) : (
        isOpen && <LoadingNote what={say('The custom fields')} part={part} />
      )}
    </Section>
  )
}

const titles = { path: 'Path', query: 'Query', querystring: 'Query string', header: 'Headers', cookie: 'Cookies' } as const
const path = ['parameters']

/** The parameters of an operation, grouped by location. */
export function ParameterSections({
  operation,
  values,
}: {
  readonly operation: DescribedOperation
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
        const set = rows.filter(({ key }) => readOwn(values.parameters, key) !== undefined).length
        return (
          <Section
            title={say(titles[location])}
            note={say('{count} of {total} set', set, rows.length)}
            isOpen={location !== 'cookie'}
          >
            <FieldRows rows={rows} path={path} label="" values={values.parameters} isForm={false} />
          </Section>
        )
      })}
    </>
  )
}

function toRow(parameter: DescribedParameter): FieldRow {
  const { name, schema, required, deprecated, description } = parameter
  return { name, key: keyOf(parameter), schema, required, deprecated, description }
}
