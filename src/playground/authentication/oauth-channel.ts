/** On it the page that a sign-in ends on tells what came. Only pages of the same origin hear it. */
export const oauthChannel = 'openapi-pages-oauth'
