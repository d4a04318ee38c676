import { exitCodes } from './help.ts'
import { settings } from './settings.ts'

interface Topic {
  summary: string
  text: () => string
}

const rows = (pairs: [string, string][], width: number): string =>
  pairs.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n')

/** What `bookctl help TOPIC` prints. */
export const topics: Record<string, Topic> = {
  environment: {
    summary: 'Variables, files, and which of them wins',
    text: () => `Precedence: flag, environment, project file, user file, default.

Variables:
${rows(
  Object.values(settings)
    .filter(({ variable }) => variable)
    .map(({ variable, description }) => [variable as string, description]),
  24,
)}
${rows(
  [
    ['BOOKCTL_CONFIG_DIR', 'Where the user file is'],
    ['BOOKCTL_DATABASE', 'The database of bookctl serve'],
    ['BOOKCTL_DEBUG', 'The same as --debug for unexpected errors'],
    ['NO_COLOR, FORCE_COLOR', 'Colour off, or on'],
    ['HTTPS_PROXY, NO_PROXY', 'Proxies'],
    ['NODE_EXTRA_CA_CERTS', 'Further certificate authorities'],
  ],
  24,
)}

Project file: the nearest .bookctl.json, such as {"profile": "shop"}. It holds no secrets.
User file: bookctl config path prints where it is. Only you can read it.
bookctl config list --show-origin says where each value came from.`,
  },
  'exit-codes': {
    summary: 'What each exit code means',
    text: () => rows(Object.entries(exitCodes), 6),
  },
  output: {
    summary: 'Tables, JSON, CSV and fields',
    text: () => `Results go to stdout; everything else goes to stderr.

  -o table     for people; the default on a terminal
  -o json      {"collection": […], "pagination": {…}} for a list, the record for one; the default in a pipe
  -o ndjson    one record a line
  -o csv       with a header; cells that a spreadsheet would run are quoted with '
  -o ids       one id a line

--fields id,customer.email picks fields, in every format.
Lists show 100 rows unless --limit or --all says otherwise; what was cut is said on stderr,
and --require-complete turns it into exit 12.`,
  },
  time: {
    summary: 'How times are read and shown',
    text: () => `Times are read and shown in the zone of --tz, BOOKCTL_TIME_ZONE, the profile or this machine; JSON is UTC.

  2026-12-01               a day: its beginning, or its end for --to
  "2026-12-01 09:00"       local time
  2026-12-01T09:00:00Z     an exact moment
  today, tomorrow, "fri 17:00", "next monday 9:00", "in 2 hours"

What a date came to is said on stderr, with its zone. A time that the clocks skip is refused;
of one that happens twice the first is meant, and that is said.`,
  },
  receiving: {
    summary: 'Receiving webhooks: headers, signatures, retries',
    text: () => `A delivery is a POST of JSON: {"event", "created_at", "created_by", "payload"}. Answer 2xx within 15 s.
Anything else, redirects too, is tried again for a day; 410 disables the subscription.

  webhook-id                   of the event, the same at every attempt: what is known already need not be done again
  webhook-timestamp            seconds since 1970, of this attempt
  webhook-attempt              1 for the first
  webhook-signature            v1,BASE64 [v1,BASE64]      HMAC-SHA256 of ID.TIMESTAMP.BODY
  calendly-webhook-signature   t=TIMESTAMP,v1=HEX[,v1=HEX]  HMAC-SHA256 of TIMESTAMP.BODY

Check either of the two, over the bytes of the body as they came, and refuse what is older than a few minutes.
Key of webhook-signature: what follows whsec_, decoded from base64; of a key without whsec_, its text.
Key of calendly-webhook-signature: the whole text of the key, whsec_ included.
For a day after a change of the key there are two signatures; one that holds is enough.

  bookctl webhooks subscribe                      shows a snippet that checks, at the end
  bookctl webhooks verify --help                  checks a delivery you have, and says why not
  bookctl webhooks listen --forward http://…      tries it on this machine`,
  },
  scripting: {
    summary: 'Using bookctl in scripts and CI',
    text: () => `Nothing is asked without a terminal, in CI, or with --no-input; a missing value is exit 2.
What destroys needs --yes there, else exit 2 and nothing is sent.
Errors are JSON on stderr where results are JSON: {"error": {"code", "message", "exit_code", …}}.
Creates carry an idempotency key, so a time-out is retried safely; exit 10 says that the outcome is unknown.

  bookctl appointments create --type 1 --customer 7 --start 2026-12-01T09:00:00Z -o ids --no-input || echo "exit $?"
  bookctl customers list --all -o ndjson --fields id,email
  bookctl customers create --name Ada --dry-run`,
  },
}
