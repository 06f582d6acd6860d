import { oauthChannel } from '../../playground/request/relay-format.ts'
import type { ClientMessages } from '../messages/messages.ts'
import { oauth } from '../messages/script-messages.ts'

// The redirect page passes the authorization response to the page that started the sign-in, then closes. It first removes the code from the URL.
const { search, hash, pathname } = location
history.replaceState(null, '', pathname)
const response = Object.fromEntries([...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))])
const status = document.querySelector<HTMLElement>('[data-status]')

/** Shows a text in the language of the page. Does not share `loadTranslation` with the script of pages, which would then be two files. */
async function showStatus(name: keyof typeof oauth): Promise<void> {
  const url = document.querySelector<HTMLMetaElement>('meta[name=messages]')?.content
  const translation: ClientMessages | undefined =
    url === undefined
      ? undefined
      : await fetch(url)
          .then((found) => found.json())
          .catch(() => undefined)
  if (status) status.textContent = (translation?.oauth ?? oauth)[name]
}

if (response['state'] === undefined) {
  void showStatus('nothing')
} else {
  const channel = new BroadcastChannel(oauthChannel)
  const timer = setTimeout(() => void showStatus('closed'), 3000)
  channel.onmessage = ({ data }) => {
    if (data?.done !== response['state']) return
    clearTimeout(timer)
    void showStatus('done')
    window.close()
  }
  channel.postMessage(response)
}
