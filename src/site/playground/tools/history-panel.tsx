import { useState } from 'preact/hooks'
import { say, textLanguage } from '../playground-messages.ts'
import { writeStored } from '../site-storage.ts'
import { clearHistory, type HistoryEntry, readHistory } from './request-history.ts'
import { ToolDialog } from './tool-dialog.tsx'

interface HistoryPanelProps {
  readonly memoryKey: string
  /** Fills in the form again with the values that are stored for the tab. */
  readonly onRestore: () => void
  readonly onClose: () => void
}

/** The requests that were sent from this site, also before a reload. Selecting one fills in its values. */
export function HistoryPanel({ memoryKey, onRestore, onClose }: HistoryPanelProps) {
  const [entries, setEntries] = useState(readHistory)
  const restore = (entry: HistoryEntry) => {
    writeStored(entry.memoryKey, entry.values, 'sessionStorage')
    if (entry.memoryKey === memoryKey) {
      onRestore()
      onClose()
    } else location.assign(`${entry.page}#try`)
  }
  return (
    <ToolDialog title={say('History')} onClose={onClose}>
      <p class="p-desc">
        {say(
          'Requests that were sent from this site, kept in this browser without credentials, files and responses. Select one to fill in its values.',
        )}
      </p>
      {entries.length === 0 ? (
        <p>{say('No requests yet.')}</p>
      ) : (
        <>
          <ul class="tool-list">
            {entries.map((entry) => (
              <li key={entry.sentAt}>
                <button type="button" class="btn quiet" onClick={() => restore(entry)}>
                  <b>
                    {entry.method} {entry.status ?? say('failed')}
                  </b>
                  <bdi>{entry.path}</bdi>
                  <small class="muted">
                    {entry.title}, {new Date(entry.sentAt).toLocaleString(textLanguage)}
                  </small>
                </button>
              </li>
            ))}
          </ul>
          <p class="tool-actions">
            <button
              type="button"
              class="btn"
              onClick={() => {
                clearHistory()
                setEntries([])
              }}
            >
              {say('Clear history')}
            </button>
          </p>
        </>
      )}
    </ToolDialog>
  )
}
