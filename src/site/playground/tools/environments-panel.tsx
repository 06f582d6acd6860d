import { useState } from 'preact/hooks'
import { Icon, IconButton, TextWithCode } from '../pieces.tsx'
import { say } from '../playground-messages.ts'
import { type Environment, type Environments, isSecret, readEnvironments, writeEnvironments } from './environments.ts'
import { ToolDialog } from './tool-dialog.tsx'

interface EnvironmentsPanelProps {
  readonly onChange: () => void
  readonly onClose: () => void
}

/** Selects and edits environments. Every change is stored immediately. */
export function EnvironmentsPanel({ onChange, onClose }: EnvironmentsPanelProps) {
  const [{ selected, all }, setEnvironments] = useState(readEnvironments)
  const environment = all[selected]
  const set = (next: Environments) => {
    setEnvironments(next)
    writeEnvironments(next)
    onChange()
  }
  const edit = (part: Partial<Environment>) =>
    set({ selected, all: all.map((one, index) => (index === selected ? { ...one, ...part } : one)) })
  const add = () => {
    const used = new Set(all.map(({ name }) => name))
    let name = say('Environment')
    for (let number = 2; used.has(name); number++) name = say('Environment {number}', number)
    set({ selected: all.length, all: [...all, { name, variables: [{ name: '', value: '' }] }] })
  }
  const variables = environment?.variables ?? []
  const editVariable = (index: number, part: Partial<Environment['variables'][number]>) =>
    edit({ variables: variables.map((one, at) => (at === index ? { ...one, ...part } : one)) })
  return (
    <ToolDialog title={say('Environments')} onClose={onClose}>
      <p class="p-desc">
        <TextWithCode
          text={say(
            'Write `{example}` in any field to use a variable of the selected environment. Environments are kept in this browser. The values of variables with names such as `token` are kept until you close the tab, and are not part of code samples.',
            '{{name}}',
          )}
        />
      </p>
      <div class="tool-row">
        <select
          class="in"
          aria-label={say('Environment')}
          value={String(selected)}
          onChange={({ currentTarget }) => set({ selected: Number(currentTarget.value), all })}
        >
          <option value="-1">{say('No environment')}</option>
          {all.map(({ name }, index) => (
            <option value={String(index)}>{name}</option>
          ))}
        </select>
        <button type="button" class="btn" onClick={add}>
          <Icon name="plus" /> {say('Add environment')}
        </button>
      </div>
      {environment && (
        <>
          <label class="tool-row">
            <span class="p-name">{say('Name')}</span>
            <input class="in" value={environment.name} onInput={({ currentTarget }) => edit({ name: currentTarget.value })} />
          </label>
          {variables.map(({ name, value }, index) => (
            <div class="tool-row">
              <input
                class="in mono"
                aria-label={say('Name of variable {number}', index + 1)}
                placeholder={say('name')}
                autocomplete="off"
                spellcheck={false}
                value={name}
                onInput={({ currentTarget }) => editVariable(index, { name: currentTarget.value.replace(/[{}\s]/g, '') })}
              />
              <input
                class="in mono"
                // Preact's types require a literal here.
                {...({ type: isSecret(name) ? 'password' : 'text' } as object)}
                aria-label={say('Value of {name}', name || say('variable {number}', index + 1))}
                placeholder={say('value')}
                autocomplete={isSecret(name) ? 'new-password' : 'off'}
                spellcheck={false}
                value={value}
                onInput={({ currentTarget }) => editVariable(index, { value: currentTarget.value })}
              />
              <IconButton
                icon="x"
                label={say('Remove {name}', name || say('variable {number}', index + 1))}
                onClick={() => edit({ variables: variables.toSpliced(index, 1) })}
              />
            </div>
          ))}
          <p class="tool-actions">
            <button type="button" class="btn" onClick={() => edit({ variables: [...variables, { name: '', value: '' }] })}>
              <Icon name="plus" /> {say('Add variable')}
            </button>
            <button type="button" class="btn quiet" onClick={() => set({ selected: -1, all: all.toSpliced(selected, 1) })}>
              {say('Delete environment')}
            </button>
          </p>
        </>
      )}
    </ToolDialog>
  )
}
