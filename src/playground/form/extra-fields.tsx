import { Icon, IconButton } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import type { ExtraParameter } from '../controls/types.ts'

interface ExtraFieldsProps {
  readonly extras: readonly ExtraParameter[]
  readonly onChange: (extras: readonly ExtraParameter[]) => void
}

/** Rows for custom headers and query parameters. Each can be switched off without losing its value. */
export function ExtraFields({ extras, onChange }: ExtraFieldsProps) {
  const set = (index: number, part: Partial<ExtraParameter>) =>
    onChange(extras.map((extra, at) => (at === index ? { ...extra, ...part } : extra)))
  const add = (location: ExtraParameter['in']) => {
    onChange([...extras, { in: location, name: '', value: '', isOn: true }])
    queueMicrotask(() => document.getElementById(`play-extra-${extras.length}`)?.focus())
  }
  return (
    <>
      {extras.map(({ in: location, name, value, isOn }, index) => {
        const place = say(location)
        const label = `${place} ${name === '' ? index + 1 : name}`
        return (
          <div class="extra">
            <label class="keep">
              <input
                type="checkbox"
                aria-label={say('Send {name}', label)}
                checked={isOn}
                onChange={({ currentTarget }) => set(index, { isOn: currentTarget.checked })}
              />{' '}
              {place}
            </label>
            <input
              id={`play-extra-${index}`}
              class="in mono"
              aria-label={say('Name of {place} {number}', place, index + 1)}
              placeholder={location === 'header' ? 'X-Name' : say('name')}
              autocomplete="off"
              spellcheck={false}
              value={name}
              onInput={({ currentTarget }) => set(index, { name: currentTarget.value.trim() })}
            />
            <input
              class="in mono"
              aria-label={say('Value of {name}', label)}
              placeholder={say('value')}
              autocomplete="off"
              spellcheck={false}
              value={value}
              onInput={({ currentTarget }) => set(index, { value: currentTarget.value })}
            />
            <IconButton icon="x" label={say('Remove {name}', label)} onClick={() => onChange(extras.toSpliced(index, 1))} />
          </div>
        )
      })}
      <div class="tools">
        <span>
          <button type="button" class="btn quiet" onClick={() => add('header')}>
            <Icon name="plus" /> {say('Add header')}
          </button>
          <button type="button" class="btn quiet" onClick={() => add('query')}>
            <Icon name="plus" /> {say('Add query parameter')}
          </button>
        </span>
      </div>
    </>
  )
}
