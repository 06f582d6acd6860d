/** Name of the `BroadcastChannel` on which the redirect page reports the response of a sign-in to the page that started it. */
export const oauthChannel = 'openapi-pages-oauth'
