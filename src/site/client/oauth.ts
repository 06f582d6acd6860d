import { oauthChannel } from '../playground/authentication/oauth-channel.ts'

// The redirect page of a sign-in: passes the response to the page that started it, and closes. The code is removed from the URL first.
const { search, hash, pathname } = location
history.replaceState(null, '', pathname)
const answer = Object.fromEntries([...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))])
const words = document.querySelector<HTMLElement>('[data-words]')

function say(text: string): void {
  if (words) words.textContent = text
}

if (answer['state'] === undefined) {
  say('Nothing was signed in here: this page is for what an authorization server sends.')
} else {
  const channel = new BroadcastChannel(oauthChannel)
  const timer = setTimeout(
    () => say('The page that asked for this is no longer open, or waits no more. Go back to it, and sign in again.'),
    3000,
  )
  channel.onmessage = ({ data }) => {
    if (data?.done !== answer['state']) return
    clearTimeout(timer)
    say('Done. You can close this window.')
    window.close()
  }
  channel.postMessage(answer)
}
