import { useState } from 'preact/hooks'
import type { DescribedOperation } from '../../request/read-operation.ts'
import { TextWithCode } from '../pieces.tsx'
import { say } from '../playground-messages.ts'
import { isAllowedHere } from '../reachable-servers.ts'
import { sayWith } from '../say-with.ts'
import type { CredentialValues, PlaygroundValues } from '../types.ts'
import { importRequest } from './import-request.ts'
import { maxCommand, parseCurl } from './parse-curl.ts'
import { ToolDialog } from './tool-dialog.tsx'

interface ImportPanelProps {
  readonly operation: DescribedOperation
  readonly values: PlaygroundValues
  readonly onImport: (values: PlaygroundValues, credentials: CredentialValues | undefined) => void
  readonly onClose: () => void
}

/** Fills in the form from a curl command. The command is read, never run. */
export function ImportPanel({ operation, values, onImport, onClose }: ImportPanelProps) {
  const [command, setCommand] = useState('')
  const [outcome, setOutcome] = useState<{ readonly problem?: string; readonly notes?: readonly string[] }>({})
  const run = () => {
    const request = parseCurl(command.trim())
    if ('problem' in request) return setOutcome(request)
    const options = { base: location.href, isOpen: isAllowedHere(new URL('https://any.invalid')) }
    const found = importRequest(operation, values, request, options)
    if ('problem' in found) return setOutcome(found)
    onImport(found.values, found.credentials)
    if (found.notes.length === 0) onClose()
    else setOutcome({ notes: found.notes })
  }
  return (
    <ToolDialog title={say('Import curl')} onClose={onClose}>
      <p class="p-desc">
        {sayWith(
          'Paste a curl command for {operation}. It replaces the values of the form. Credentials go to the Authorization section.',
          <code>
            {operation.method} {operation.path}
          </code>,
        )}
      </p>
      <textarea
        class="in mono"
        rows={8}
        aria-label={say('curl command')}
        placeholder="curl https://api.example.com/…"
        spellcheck={false}
        autocomplete="off"
        maxLength={maxCommand}
        value={command}
        onInput={({ currentTarget }) => {
          setCommand(currentTarget.value)
          setOutcome({})
        }}
      />
      <div role="status">
        {outcome.problem !== undefined && (
          <p class="err">
            <TextWithCode text={say('{problem}. Nothing was imported.', outcome.problem)} />
          </p>
        )}
        {outcome.notes && (
          <>
            <p>{say('Imported, with these differences:')}</p>
            <ul class="problems">
              {outcome.notes.map((note) => (
                <li>
                  <TextWithCode text={note} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <p class="tool-actions">
        <button type="button" class="btn primary" disabled={command.trim() === ''} onClick={run}>
          {say('Import')}
        </button>
      </p>
    </ToolDialog>
  )
}
