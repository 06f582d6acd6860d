/** The `BroadcastChannel` through which the redirect page sends the authorization response to the page that started the sign-in. */
export const oauthChannel = 'openapi-pages-oauth'
