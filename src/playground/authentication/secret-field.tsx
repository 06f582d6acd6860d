import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { RequiredScheme } from '../../model/security.ts'
import { FieldText, Icon } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import type { Credential } from '../controls/types.ts'

/** The props of the fields for a security scheme. */
export interface SchemeFieldsProps {
  readonly use: RequiredScheme
  readonly credential: Credential | undefined
  readonly origin: string
  /** Whether the operation needs a credential. */
  readonly required: boolean
  readonly onChange: (credential: Credential) => void
}

interface SecretFieldProps {
  readonly label: string
  readonly type: string
  /** Markdown; only its first paragraph is shown. */
  readonly description?: string | undefined
  readonly required?: boolean
  readonly value: string
  /** Whether the value is readable, unlike a password. */
  readonly isPlain?: boolean
  readonly onInput: (value: string) => void
  /** Notes below the field. */
  readonly children?: ComponentChildren
}

/** A field for one string of a credential, hidden until the reader reveals it. Browsers are asked not to autofill or save it. */
export function SecretField(props: SecretFieldProps) {
  const { label, type, description = '', required = false, value, isPlain = false, onInput, children } = props
  const id = useId()
  const [isShown, setShown] = useState(false)
  const shared = {
    id,
    class: 'in mono',
    autocapitalize: 'off',
    spellcheck: false,
    value,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onInput(currentTarget.value),
  } as const
  return (
    <div class="row">
      <div>
        <div class="p-head">
          <label class="p-name" for={id}>
            {label}
          </label>{' '}
          <i>{type}</i> {required && <em>{say('required')}</em>}
        </div>
        <FieldText text={description} />
      </div>
      <div>
        {isPlain ? (
          <input {...shared} autocomplete="off" />
        ) : (
          <div class="secret">
            <input
              {...shared}
              // Preact's types require a literal here.
              {...({ type: isShown ? 'text' : 'password' } as object)}
              autocomplete="new-password"
            />
            <button type="button" class="btn quiet icon" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              <Icon name="eye" />
              <span class="vh">{say('Show {name}', label)}</span>
            </button>
          </div>
        )}
        {children}
      </div>
    </div>
  )
}
