/** Texts of the script that receives responses of authorization servers. */
export const oauth = {
  nothing: 'There is no sign-in to complete. This page receives responses from authorization servers.',
  closed: 'The page that started this sign-in was closed or stopped waiting. Go back to it and sign in again.',
  done: 'Done. You can close this window.',
} as const
