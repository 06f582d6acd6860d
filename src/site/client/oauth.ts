import { oauthChannel } from '../playground/authentication/oauth-channel.ts'

// The redirect page passes the authorization response to the page that started the sign-in, then closes. It first removes the code from the URL.
const { search, hash, pathname } = location
history.replaceState(null, '', pathname)
const response = Object.fromEntries([...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))])
const status = document.querySelector<HTMLElement>('[data-status]')

function showStatus(text: string): void {
  if (status) status.textContent = text
}

if (response['state'] === undefined) {
  showStatus('There is no sign-in to complete. This page receives responses from authorization servers.')
} else {
  const channel = new BroadcastChannel(oauthChannel)
  const timer = setTimeout(
    () => showStatus('The page that started this sign-in was closed or stopped waiting. Go back to it and sign in again.'),
    3000,
  )
  channel.onmessage = ({ data }) => {
    if (data?.done !== response['state']) return
    clearTimeout(timer)
    showStatus('Done. You can close this window.')
    window.close()
  }
  channel.postMessage(response)
}
