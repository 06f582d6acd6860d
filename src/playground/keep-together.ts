// What the form shares with the scripts that come after it. Each of these imports all of it, so that the bundler makes one file of it
// instead of one for every combination: less to load before the form can be used.
import '../request/media-type.ts'
import '../text/is-object.ts'
import './answer/words.tsx'
import './authentication/secret-field.tsx'
import './fields/field-text.tsx'
import './icon.tsx'
import './send/find-failure-before.ts'
import './servers/to-server-url.ts'
