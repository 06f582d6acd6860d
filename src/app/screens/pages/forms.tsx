import { Icon, type IconName, Submit } from './elements.tsx'

interface ActionFormProps {
  readonly action: string
  readonly label: string
  /** Target of the action, added to the label for screen readers. */
  readonly of?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly icon?: IconName
  readonly kind?: 'main' | 'quiet' | 'danger'
}

/** A form with one button, so that actions work without JavaScript. */
export function ActionForm({ action, label, of, fields = {}, icon, kind = 'quiet' }: ActionFormProps) {
  return (
    <form method="post" action={action}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Submit kind={kind}>
        {icon && <Icon name={icon} />}
        {label}
        {of !== undefined && <span class="hidden"> {of}</span>}
      </Submit>
    </form>
  )
}

interface TextFieldProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly hint: string
  /** Why the submitted value was rejected. */
  readonly mistake: string | undefined
  /** Digits, and may be empty. */
  readonly isNumber?: boolean
}

export function TextField({ name, label, value, hint, mistake, isNumber = false }: TextFieldProps) {
  return (
    <>
      <div class="field">
        <label for={name}>
          {label}
          <input
            id={name}
            name={name}
            value={value}
            required={!isNumber}
            inputMode={isNumber ? 'numeric' : undefined}
            maxLength={isNumber ? 6 : 300}
            autocomplete="off"
            spellcheck={false}
            aria-describedby={mistake === undefined ? `${name}-hint` : `${name}-mistake ${name}-hint`}
            aria-invalid={mistake === undefined ? undefined : 'true'}
          />
        </label>
      </div>
      {mistake !== undefined && (
        <p class="mistake" id={`${name}-mistake`}>
          {mistake}
        </p>
      )}
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    </>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly value: string
  readonly label: string
  readonly note: string
  readonly isChosen: boolean
  /** Default: one of several. */
  readonly type?: 'radio' | 'checkbox'
}

/** A radio button or a checkbox. */
export function Choice({ name, value, label, note, isChosen, type = 'radio' }: ChoiceProps) {
  return (
    <label class="choice">
      <input type={type} name={name} value={value} checked={isChosen} />
      <span>
        {label}
        <small>{note}</small>
      </span>
    </label>
  )
}

/** The last line of a form with a single button. */
export function SubmitLine({ label, kind = 'quiet' }: Pick<ActionFormProps, 'label' | 'kind'>) {
  return (
    <p class="acts">
      <Submit kind={kind}>{label}</Submit>
    </p>
  )
}
