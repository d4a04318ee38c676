# bash completion for bookctl. Generated; do not edit.

# The flags of a command, those that take a value, and the words its argument can be.
_bookctl_command() {
  flags='' takes='' arguments=''
  case $1 in
    'init') flags='--sample --name --time-zone --owner-name --owner-email --password-stdin --database' takes=' --name --time-zone --owner-name --owner-email --database' ;;
    'customers list') flags='--search --email --deleted --sort --limit --all --require-complete --page-token' takes=' --search --email --deleted --sort --limit --page-token' ;;
    'customers get')  ;;
    'customers create') flags='--name --email --phone --notes --time-zone --custom-field --input-json --dry-run --generate' takes=' --name --email --phone --notes --time-zone --custom-field --input-json --generate' ;;
    'customers update') flags='--name --email --phone --notes --time-zone --custom-field --input-json --dry-run --generate' takes=' --name --email --phone --notes --time-zone --custom-field --input-json --generate' ;;
    'customers delete') flags='--soft-delete --no-soft-delete --cancel-appointments --no-cancel-appointments --dry-run --generate --yes' takes=' --generate' ;;
    'customers restore') flags='--dry-run --generate' takes=' --generate' ;;
    'appointments list') flags='--from --to --staff --customer --type --status --sort --limit --all --require-complete --page-token' takes=' --from --to --staff --customer --type --status --sort --limit --page-token' ;;
    'appointments get')  ;;
    'appointments create') flags='--type --start --customer --customer-name --customer-email --customer-phone --staff --title --notes --location --time-zone --answer --utm-campaign --utm-source --utm-medium --utm-content --utm-term --salesforce-uuid --routing-form-submission --force --no-force --input-json --dry-run --generate' takes=' --type --start --customer --customer-name --customer-email --customer-phone --staff --title --notes --location --time-zone --answer --utm-campaign --utm-source --utm-medium --utm-content --utm-term --salesforce-uuid --routing-form-submission --input-json --generate' ;;
    'appointments update') flags='--title --notes --location --time-zone --input-json --dry-run --generate' takes=' --title --notes --location --time-zone --input-json --generate' ;;
    'appointments reschedule') flags='--start --staff --reason --force --no-force --input-json --dry-run --generate' takes=' --start --staff --reason --input-json --generate' ;;
    'appointments cancel') flags='--reason --input-json --dry-run --generate --yes' takes=' --reason --input-json --generate' ;;
    'appointments complete') flags='--dry-run --generate' takes=' --generate' ;;
    'appointments no-show') flags='--dry-run --generate' takes=' --generate' ;;
    'appointments undo-no-show') flags='--dry-run --generate' takes=' --generate' ;;
    'appointment-types list') flags='--active --no-active --service --sort --limit --all --require-complete --page-token' takes=' --service --sort --limit --page-token' ;;
    'appointment-types get')  ;;
    'appointment-types create') flags='--name --service --duration --staff --slot-interval --buffer-before --buffer-after --minimum-notice --booking-window --daily-limit --location --price --currency --custom-questions --slug --color --active --no-active --input-json --dry-run --generate' takes=' --name --service --duration --staff --slot-interval --buffer-before --buffer-after --minimum-notice --booking-window --daily-limit --location --price --currency --custom-questions --slug --color --input-json --generate' ;;
    'appointment-types update') flags='--name --service --duration --staff --slot-interval --buffer-before --buffer-after --minimum-notice --booking-window --daily-limit --location --price --currency --custom-questions --slug --color --active --no-active --input-json --dry-run --generate' takes=' --name --service --duration --staff --slot-interval --buffer-before --buffer-after --minimum-notice --booking-window --daily-limit --location --price --currency --custom-questions --slug --color --input-json --generate' ;;
    'appointment-types delete') flags='--dry-run --generate --yes' takes=' --generate' ;;
    'services list') flags='--active --no-active --sort --limit --all --require-complete --page-token' takes=' --sort --limit --page-token' ;;
    'services get')  ;;
    'services create') flags='--name --category --description --active --no-active --input-json --dry-run --generate' takes=' --name --category --description --input-json --generate' ;;
    'services update') flags='--name --category --description --active --no-active --input-json --dry-run --generate' takes=' --name --category --description --input-json --generate' ;;
    'services delete') flags='--dry-run --generate --yes' takes=' --generate' ;;
    'classes list') flags='--active --no-active --service --sort --limit --all --require-complete --page-token' takes=' --service --sort --limit --page-token' ;;
    'classes get')  ;;
    'classes create') flags='--name --duration --capacity --staff --service --price --currency --location --time-zone --starts --rrule --question --waitlist --no-waitlist --active --no-active --input-json --dry-run --generate' takes=' --name --duration --capacity --staff --service --price --currency --location --time-zone --starts --rrule --question --input-json --generate' ;;
    'classes update') flags='--name --duration --capacity --staff --service --price --currency --location --time-zone --starts --rrule --question --waitlist --no-waitlist --active --no-active --input-json --dry-run --generate' takes=' --name --duration --capacity --staff --service --price --currency --location --time-zone --starts --rrule --question --input-json --generate' ;;
    'classes delete') flags='--dry-run --generate --yes' takes=' --generate' ;;
    'classes schedule') flags='--from --to --count --skip-conflicts --no-skip-conflicts --input-json --dry-run --generate' takes=' --from --to --count --input-json --generate' ;;
    'classes sessions') flags='--staff --from --to --status --sort --limit --all --require-complete --page-token' takes=' --staff --from --to --status --sort --limit --page-token' ;;
    'sessions list') flags='--class --staff --from --to --status --sort --limit --all --require-complete --page-token' takes=' --class --staff --from --to --status --sort --limit --page-token' ;;
    'sessions get')  ;;
    'sessions create') flags='--class --start --staff --capacity --location --input-json --dry-run --generate' takes=' --class --start --staff --capacity --location --input-json --generate' ;;
    'sessions update') flags='--staff --capacity --location --input-json --dry-run --generate' takes=' --staff --capacity --location --input-json --generate' ;;
    'sessions cancel') flags='--reason --input-json --dry-run --generate --yes' takes=' --reason --input-json --generate' ;;
    'attendees list') flags='--session --status --sort --limit --all --require-complete --page-token' takes=' --session --status --sort --limit --page-token' ;;
    'attendees get') flags='--session' takes=' --session' ;;
    'attendees add') flags='--session --customer --customer-name --customer-email --customer-phone --time-zone --answer --utm-campaign --utm-source --utm-medium --utm-content --utm-term --salesforce-uuid --routing-form-submission --input-json --dry-run --generate' takes=' --session --customer --customer-name --customer-email --customer-phone --time-zone --answer --utm-campaign --utm-source --utm-medium --utm-content --utm-term --salesforce-uuid --routing-form-submission --input-json --generate' ;;
    'attendees cancel') flags='--session --reason --input-json --dry-run --generate --yes' takes=' --session --reason --input-json --generate' ;;
    'attendees no-show') flags='--session --dry-run --generate' takes=' --session --generate' ;;
    'attendees undo-no-show') flags='--session --dry-run --generate' takes=' --session --generate' ;;
    'staff list') flags='--active --no-active --email --sort --limit --all --require-complete --page-token' takes=' --email --sort --limit --page-token' ;;
    'staff get')  ;;
    'staff create') flags='--name --email --time-zone --working-hours --extra-hours --time-off --user --active --no-active --input-json --dry-run --generate' takes=' --name --email --time-zone --working-hours --extra-hours --time-off --user --input-json --generate' ;;
    'staff update') flags='--name --email --time-zone --working-hours --extra-hours --time-off --user --active --no-active --input-json --dry-run --generate' takes=' --name --email --time-zone --working-hours --extra-hours --time-off --user --input-json --generate' ;;
    'staff delete') flags='--dry-run --generate --yes' takes=' --generate' ;;
    'staff hours') flags='--set --extra --dry-run --generate' takes=' --set --extra --generate' ;;
    'staff time-off') flags='--from --to --reason --remove --dry-run --generate' takes=' --from --to --reason --generate' ;;
    'staff available') flags='--type --from --to --staff --limit --all --require-complete' takes=' --type --from --to --staff --limit' ;;
    'calendar') flags='--week --staff' takes=' --week --staff' ;;
    'events list') flags='--user --organization --invitee-email --status --from --to --sort --limit --all --require-complete --page-token' takes=' --user --organization --invitee-email --status --from --to --sort --limit --page-token' ;;
    'events get')  ;;
    'events cancel') flags='--reason --input-json --dry-run --generate --yes' takes=' --reason --input-json --generate' ;;
    'invitees lookup') flags='--event --invitee' takes=' --event --invitee' ;;
    'webhooks subscribe') flags='--url --events --scope --organization --user --signing-key-stdin --input-json --dry-run --generate' takes=' --url --events --scope --organization --user --input-json --generate' ;;
    'webhooks list') flags='--scope --sort --limit --all --require-complete --page-token' takes=' --scope --sort --limit --page-token' ;;
    'webhooks get')  ;;
    'webhooks update') flags='--url --events --input-json --dry-run --generate' takes=' --url --events --input-json --generate' ;;
    'webhooks delete') flags='--dry-run --generate --yes' takes=' --generate' ;;
    'webhooks enable') flags='--dry-run --generate' takes=' --generate' ;;
    'webhooks ping') flags='--dry-run --generate' takes=' --generate' ;;
    'webhooks rotate-key') flags='--signing-key-stdin --dry-run --generate' takes=' --generate' ;;
    'webhooks deliveries') flags='--state --event --from --to --sort --delivery --limit --all --require-complete --page-token' takes=' --state --event --from --to --sort --delivery --limit --page-token' ;;
    'webhooks redeliver') flags='--delivery --failed --from --to --all-states --wait --yes --dry-run --generate' takes=' --delivery --from --to --generate' ;;
    'webhooks apply') flags='--file --prune --check --keys-file --dry-run --yes' takes=' --file -f --keys-file' ;;
    'webhooks audit') flags='--probe --severity --limit --all --require-complete' takes=' --severity --limit' ;;
    'webhooks sample') flags='--event --scope' takes=' --event --scope' ;;
    'webhooks events') flags='--limit --all --require-complete' takes=' --limit' ;;
    'webhooks listen') flags='--forward --events --scope --port --url --signing-key-file --record --exit-after --timeout --ready-timeout' takes=' --forward --events --scope --port --url --signing-key-file --record --exit-after --timeout --ready-timeout' ;;
    'webhooks send') flags='--to --event --body --from-recording --signing-key-file --webhook-id' takes=' --to --event --body --from-recording --signing-key-file --webhook-id' ;;
    'webhooks verify') flags='--signing-key-file --header --headers-file --recording --at --ignore-age' takes=' --signing-key-file --header -H --headers-file --recording --at' ;;
    'routing-forms list') flags='--organization --sort --limit --all --require-complete --page-token' takes=' --organization --sort --limit --page-token' ;;
    'routing-forms get')  ;;
    'routing-forms create') flags='--name --status --question --route --fallback --input-json --dry-run --generate' takes=' --name --status --question --route --fallback --input-json --generate' ;;
    'routing-forms update') flags='--name --status --route --fallback --input-json --dry-run --generate' takes=' --name --status --route --fallback --input-json --generate' ;;
    'routing-forms submit') flags='--answer --utm-campaign --utm-source --utm-medium --utm-content --utm-term --salesforce-uuid --input-json --dry-run --generate' takes=' --answer --utm-campaign --utm-source --utm-medium --utm-content --utm-term --salesforce-uuid --input-json --generate' ;;
    'routing-forms submissions') flags='--form --sort --limit --all --require-complete --page-token' takes=' --form --sort --limit --page-token' ;;
    'users list') flags='--role --email --sort --limit --all --require-complete --page-token' takes=' --role --email --sort --limit --page-token' ;;
    'users get')  ;;
    'users create') flags='--name --email --role --time-zone --password-stdin --input-json --dry-run --generate' takes=' --name --email --role --time-zone --input-json --generate' ;;
    'users update') flags='--role --name --input-json --dry-run --generate' takes=' --role --name --input-json --generate' ;;
    'credentials list') flags='--kind --user --revoked --sort --limit --all --require-complete --page-token' takes=' --kind --user --revoked --sort --limit --page-token' ;;
    'credentials get')  ;;
    'credentials create') flags='--kind --name --expires --user --input-json --dry-run --generate' takes=' --kind --name --expires --user --input-json --generate' ;;
    'credentials revoke') flags='--dry-run --generate --yes' takes=' --generate' ;;
    'audit list') flags='--user --from --to --sort --limit --all --require-complete --page-token' takes=' --user --from --to --sort --limit --page-token' ;;
    'me')  ;;
    'auth login') flags='--email --password-stdin --with-api-key --with-token --api-key-command --token-command' takes=' --email --api-key-command --token-command' ;;
    'auth status')  ;;
    'auth logout') flags='--yes' ;;
    'auth token') flags='--api-key' ;;
    'profiles list')  ;;
    'profiles use')  ;;
    'profiles add') flags='--base-url --api-url --time-zone' takes=' --base-url --api-url --time-zone' ;;
    'profiles remove') flags='--yes' ;;
    'config list') flags='--show-origin' ;;
    'config get') arguments='profile output timeout time_zone no_input' ;;
    'config set') flags='--value' takes=' --value' arguments='profile output timeout time_zone no_input' ;;
    'config unset') arguments='profile output timeout time_zone no_input' ;;
    'config path')  ;;
    'api') flags='--field --typed-field --header --input --all --include --dry-run --generate' takes=' --field -f --typed-field -F --header -H --input --generate' ;;
    'serve') flags='--port --host --database --public-url --allow-private-webhooks --rate-limit --quiet' takes=' --port --host --database --public-url --rate-limit' ;;
    'commands')  ;;
    'completion') arguments='bash zsh fish powershell' ;;
    'help') arguments='environment exit-codes output time receiving scripting' ;;
  esac
  flags+=' --profile --output --json --fields --tz --timeout --no-input --no-color --accessible --verbose --debug --insecure-http --help'
  takes+=' --profile --output -o --fields --tz --timeout '
}

# The words that the value of a flag can be; "/" for a file.
_bookctl_values() {
  values=''
  case $1 in
    'init --database') values='/' ;;
    'customers list --deleted') values='true false any' ;;
    'customers list --sort') values='id:asc id:desc name:asc name:desc created_at:asc created_at:desc updated_at:asc updated_at:desc' ;;
    'customers create --input-json') values='/' ;;
    'customers create --generate') values='curl' ;;
    'customers update --input-json') values='/' ;;
    'customers update --generate') values='curl' ;;
    'customers delete --generate') values='curl' ;;
    'customers restore --generate') values='curl' ;;
    'appointments list --status') values='scheduled canceled completed no_show' ;;
    'appointments list --sort') values='start_time:asc start_time:desc id:asc id:desc created_at:asc created_at:desc' ;;
    'appointments create --input-json') values='/' ;;
    'appointments create --generate') values='curl' ;;
    'appointments update --input-json') values='/' ;;
    'appointments update --generate') values='curl' ;;
    'appointments reschedule --input-json') values='/' ;;
    'appointments reschedule --generate') values='curl' ;;
    'appointments cancel --input-json') values='/' ;;
    'appointments cancel --generate') values='curl' ;;
    'appointments complete --generate') values='curl' ;;
    'appointments no-show --generate') values='curl' ;;
    'appointments undo-no-show --generate') values='curl' ;;
    'appointment-types list --sort') values='id:asc id:desc name:asc name:desc created_at:asc created_at:desc' ;;
    'appointment-types create --input-json') values='/' ;;
    'appointment-types create --generate') values='curl' ;;
    'appointment-types update --input-json') values='/' ;;
    'appointment-types update --generate') values='curl' ;;
    'appointment-types delete --generate') values='curl' ;;
    'services list --sort') values='id:asc id:desc name:asc name:desc created_at:asc created_at:desc' ;;
    'services create --input-json') values='/' ;;
    'services create --generate') values='curl' ;;
    'services update --input-json') values='/' ;;
    'services update --generate') values='curl' ;;
    'services delete --generate') values='curl' ;;
    'classes list --sort') values='id:asc id:desc name:asc name:desc created_at:asc created_at:desc' ;;
    'classes create --input-json') values='/' ;;
    'classes create --generate') values='curl' ;;
    'classes update --input-json') values='/' ;;
    'classes update --generate') values='curl' ;;
    'classes delete --generate') values='curl' ;;
    'classes schedule --input-json') values='/' ;;
    'classes schedule --generate') values='curl' ;;
    'classes sessions --status') values='scheduled canceled' ;;
    'classes sessions --sort') values='start_time:asc start_time:desc id:asc id:desc created_at:asc created_at:desc' ;;
    'sessions list --status') values='scheduled canceled' ;;
    'sessions list --sort') values='start_time:asc start_time:desc id:asc id:desc created_at:asc created_at:desc' ;;
    'sessions create --input-json') values='/' ;;
    'sessions create --generate') values='curl' ;;
    'sessions update --input-json') values='/' ;;
    'sessions update --generate') values='curl' ;;
    'sessions cancel --input-json') values='/' ;;
    'sessions cancel --generate') values='curl' ;;
    'attendees list --status') values='active waiting canceled no_show' ;;
    'attendees list --sort') values='id:asc id:desc created_at:asc created_at:desc' ;;
    'attendees add --input-json') values='/' ;;
    'attendees add --generate') values='curl' ;;
    'attendees cancel --input-json') values='/' ;;
    'attendees cancel --generate') values='curl' ;;
    'attendees no-show --generate') values='curl' ;;
    'attendees undo-no-show --generate') values='curl' ;;
    'staff list --sort') values='id:asc id:desc name:asc name:desc created_at:asc created_at:desc' ;;
    'staff create --input-json') values='/' ;;
    'staff create --generate') values='curl' ;;
    'staff update --input-json') values='/' ;;
    'staff update --generate') values='curl' ;;
    'staff delete --generate') values='curl' ;;
    'staff hours --generate') values='curl' ;;
    'staff time-off --generate') values='curl' ;;
    'events list --status') values='active canceled' ;;
    'events list --sort') values='start_time:asc start_time:desc' ;;
    'events cancel --input-json') values='/' ;;
    'events cancel --generate') values='curl' ;;
    'webhooks subscribe --scope') values='user organization' ;;
    'webhooks subscribe --input-json') values='/' ;;
    'webhooks subscribe --generate') values='curl' ;;
    'webhooks list --scope') values='user organization' ;;
    'webhooks list --sort') values='created_at:asc created_at:desc' ;;
    'webhooks update --input-json') values='/' ;;
    'webhooks update --generate') values='curl' ;;
    'webhooks delete --generate') values='curl' ;;
    'webhooks enable --generate') values='curl' ;;
    'webhooks ping --generate') values='curl' ;;
    'webhooks rotate-key --generate') values='curl' ;;
    'webhooks deliveries --state') values='pending delivered failed' ;;
    'webhooks deliveries --event') values='invitee.created invitee.canceled routing_form_submission.created invitee_no_show.created invitee_no_show.deleted ping' ;;
    'webhooks deliveries --sort') values='id:asc id:desc' ;;
    'webhooks redeliver --generate') values='curl' ;;
    'webhooks apply --file'|'webhooks apply -f') values='/' ;;
    'webhooks apply --keys-file') values='/' ;;
    'webhooks audit --severity') values='error warning info' ;;
    'webhooks sample --event') values='invitee.created invitee.canceled routing_form_submission.created invitee_no_show.created invitee_no_show.deleted' ;;
    'webhooks sample --scope') values='user organization' ;;
    'webhooks listen --scope') values='user organization' ;;
    'webhooks listen --signing-key-file') values='/' ;;
    'webhooks listen --record') values='/' ;;
    'webhooks send --event') values='invitee.created invitee.canceled routing_form_submission.created invitee_no_show.created invitee_no_show.deleted' ;;
    'webhooks send --from-recording') values='/' ;;
    'webhooks send --signing-key-file') values='/' ;;
    'webhooks verify --signing-key-file') values='/' ;;
    'webhooks verify --headers-file') values='/' ;;
    'webhooks verify --recording') values='/' ;;
    'routing-forms list --sort') values='created_at:asc created_at:desc' ;;
    'routing-forms create --status') values='draft published' ;;
    'routing-forms create --input-json') values='/' ;;
    'routing-forms create --generate') values='curl' ;;
    'routing-forms update --status') values='draft published' ;;
    'routing-forms update --input-json') values='/' ;;
    'routing-forms update --generate') values='curl' ;;
    'routing-forms submit --input-json') values='/' ;;
    'routing-forms submit --generate') values='curl' ;;
    'routing-forms submissions --sort') values='created_at:asc created_at:desc' ;;
    'users list --role') values='member admin owner' ;;
    'users list --sort') values='created_at:asc created_at:desc' ;;
    'users create --role') values='member admin owner' ;;
    'users create --input-json') values='/' ;;
    'users create --generate') values='curl' ;;
    'users update --role') values='member admin owner' ;;
    'users update --input-json') values='/' ;;
    'users update --generate') values='curl' ;;
    'credentials list --kind') values='api_key access_token' ;;
    'credentials list --revoked') values='true false any' ;;
    'credentials list --sort') values='id:asc id:desc created_at:asc created_at:desc' ;;
    'credentials create --kind') values='api_key access_token' ;;
    'credentials create --input-json') values='/' ;;
    'credentials create --generate') values='curl' ;;
    'credentials revoke --generate') values='curl' ;;
    'audit list --sort') values='id:asc id:desc' ;;
    'api --input') values='/' ;;
    'api --generate') values='curl' ;;
    'serve --database') values='/' ;;
    *' --output'|*' -o') values='table json ndjson csv ids' ;;
  esac
}

# The full name of a word or of a verb.
_bookctl_name() {
  name=''
  case $1 in
    init) name=init ;;
    customers) name=customers ;;
    appointments|appts) name=appointments ;;
    appointment-types|types) name=appointment-types ;;
    services) name=services ;;
    classes) name=classes ;;
    sessions) name=sessions ;;
    attendees) name=attendees ;;
    staff) name=staff ;;
    calendar|cal) name=calendar ;;
    events) name=events ;;
    invitees) name=invitees ;;
    webhooks) name=webhooks ;;
    routing-forms|forms) name=routing-forms ;;
    users) name=users ;;
    credentials) name=credentials ;;
    audit) name=audit ;;
    me) name=me ;;
    auth) name=auth ;;
    profiles) name=profiles ;;
    config) name=config ;;
    api) name=api ;;
    serve) name=serve ;;
    commands) name=commands ;;
    completion) name=completion ;;
    help) name=help ;;
    'customers list'|'customers ls') name=list ;;
    'customers get') name=get ;;
    'customers create') name=create ;;
    'customers update') name=update ;;
    'customers delete'|'customers rm') name=delete ;;
    'customers restore') name=restore ;;
    'appointments list'|'appointments ls') name=list ;;
    'appointments get') name=get ;;
    'appointments create'|'appointments book') name=create ;;
    'appointments update') name=update ;;
    'appointments reschedule') name=reschedule ;;
    'appointments cancel') name=cancel ;;
    'appointments complete') name=complete ;;
    'appointments no-show') name=no-show ;;
    'appointments undo-no-show') name=undo-no-show ;;
    'appointment-types list'|'appointment-types ls') name=list ;;
    'appointment-types get') name=get ;;
    'appointment-types create') name=create ;;
    'appointment-types update') name=update ;;
    'appointment-types delete'|'appointment-types rm') name=delete ;;
    'services list'|'services ls') name=list ;;
    'services get') name=get ;;
    'services create') name=create ;;
    'services update') name=update ;;
    'services delete'|'services rm') name=delete ;;
    'classes list'|'classes ls') name=list ;;
    'classes get') name=get ;;
    'classes create') name=create ;;
    'classes update') name=update ;;
    'classes delete'|'classes rm') name=delete ;;
    'classes schedule') name=schedule ;;
    'classes sessions') name=sessions ;;
    'sessions list'|'sessions ls') name=list ;;
    'sessions get') name=get ;;
    'sessions create') name=create ;;
    'sessions update') name=update ;;
    'sessions cancel') name=cancel ;;
    'attendees list'|'attendees ls') name=list ;;
    'attendees get') name=get ;;
    'attendees add') name=add ;;
    'attendees cancel') name=cancel ;;
    'attendees no-show') name=no-show ;;
    'attendees undo-no-show') name=undo-no-show ;;
    'staff list'|'staff ls') name=list ;;
    'staff get') name=get ;;
    'staff create') name=create ;;
    'staff update') name=update ;;
    'staff delete'|'staff rm') name=delete ;;
    'staff hours') name=hours ;;
    'staff time-off') name=time-off ;;
    'staff available') name=available ;;
    'events list'|'events ls') name=list ;;
    'events get') name=get ;;
    'events cancel') name=cancel ;;
    'invitees lookup'|'invitees get') name=lookup ;;
    'webhooks subscribe'|'webhooks create') name=subscribe ;;
    'webhooks list'|'webhooks ls') name=list ;;
    'webhooks get') name=get ;;
    'webhooks update') name=update ;;
    'webhooks delete'|'webhooks rm') name=delete ;;
    'webhooks enable') name=enable ;;
    'webhooks ping') name=ping ;;
    'webhooks rotate-key') name=rotate-key ;;
    'webhooks deliveries') name=deliveries ;;
    'webhooks redeliver') name=redeliver ;;
    'webhooks apply') name=apply ;;
    'webhooks audit') name=audit ;;
    'webhooks sample') name=sample ;;
    'webhooks events') name=events ;;
    'webhooks listen') name=listen ;;
    'webhooks send') name=send ;;
    'webhooks verify') name=verify ;;
    'routing-forms list'|'routing-forms ls') name=list ;;
    'routing-forms get') name=get ;;
    'routing-forms create') name=create ;;
    'routing-forms update') name=update ;;
    'routing-forms submit') name=submit ;;
    'routing-forms submissions') name=submissions ;;
    'users list'|'users ls') name=list ;;
    'users get') name=get ;;
    'users create') name=create ;;
    'users update') name=update ;;
    'credentials list'|'credentials ls') name=list ;;
    'credentials get') name=get ;;
    'credentials create') name=create ;;
    'credentials revoke'|'credentials delete'|'credentials rm') name=revoke ;;
    'audit list'|'audit ls') name=list ;;
    'auth login') name=login ;;
    'auth status') name=status ;;
    'auth logout') name=logout ;;
    'auth token') name=token ;;
    'profiles list'|'profiles ls') name=list ;;
    'profiles use') name=use ;;
    'profiles add') name=add ;;
    'profiles remove'|'profiles rm'|'profiles delete') name=remove ;;
    'config list'|'config ls') name=list ;;
    'config get') name=get ;;
    'config set') name=set ;;
    'config unset') name=unset ;;
    'config path') name=path ;;
  esac
}

# The words that can follow a group.
_bookctl_verbs() {
  verbs=''
  case $1 in
    '') verbs='init customers appointments appointment-types services classes sessions attendees staff calendar events invitees webhooks routing-forms users credentials audit me auth profiles config api serve commands completion help' ;;
    customers) verbs='list get create update delete restore' ;;
    appointments) verbs='list get create update reschedule cancel complete no-show undo-no-show' ;;
    appointment-types) verbs='list get create update delete' ;;
    services) verbs='list get create update delete' ;;
    classes) verbs='list get create update delete schedule sessions' ;;
    sessions) verbs='list get create update cancel' ;;
    attendees) verbs='list get add cancel no-show undo-no-show' ;;
    staff) verbs='list get create update delete hours time-off available' ;;
    events) verbs='list get cancel' ;;
    invitees) verbs='lookup' ;;
    webhooks) verbs='subscribe list get update delete enable ping rotate-key deliveries redeliver apply audit sample events listen send verify' ;;
    routing-forms) verbs='list get create update submit submissions' ;;
    users) verbs='list get create update' ;;
    credentials) verbs='list get create revoke' ;;
    audit) verbs='list' ;;
    auth) verbs='login status logout token' ;;
    profiles) verbs='list use add remove' ;;
    config) verbs='list get set unset path' ;;
  esac
}

_bookctl() {
  local line=${COMP_LINE:0:COMP_POINT} cur='' group='' verb='' flag='' word name verbs values flags takes arguments
  local -a words
  read -r -a words <<< "$line"
  if [[ $line != *[[:space:]] ]]; then
    cur=${words[${#words[@]} - 1]}
    unset "words[${#words[@]} - 1]"
  fi
  _bookctl_command ''
  for word in "${words[@]:1}"; do
    if [[ -n $flag ]]; then
      flag=''
    elif [[ $word == --*=* ]]; then
      :
    elif [[ $word == -* ]]; then
      [[ $takes == *" $word "* ]] && flag=$word
    elif [[ -z $group ]]; then
      _bookctl_name "$word"
      [[ -z $name ]] && return
      group=$name
      _bookctl_command "$group"
    elif [[ -z $verb ]]; then
      _bookctl_name "$group $word"
      [[ -z $name ]] && return
      verb=$name
      _bookctl_command "$group $verb"
    fi
  done

  local command="$group${verb:+ $verb}" given=$cur
  if [[ -z $flag && $cur == --*=* ]]; then
    flag=${cur%%=*} given=${cur#*=}
  fi
  if [[ -n $flag ]]; then
    _bookctl_values "$command $flag"
    if [[ $values == / ]]; then
      compopt -o filenames 2> /dev/null
      local IFS=$'\n'
      COMPREPLY=($(compgen -f -- "$given"))
      return
    fi
  elif [[ $cur == -* ]]; then
    values=$flags
  else
    _bookctl_verbs "$group"
    values=$arguments
    [[ -z $verb ]] && values+=" $verbs"
  fi
  COMPREPLY=($(compgen -W "$values" -- "$given"))

  # bash takes a word to begin behind the last "=" or ":", and replaces only what is behind it.
  local last=${COMP_WORDS[COMP_CWORD]}
  [[ $last == [=:] ]] && last=''
  local before=${given%"$last"}
  [[ $given == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"$before"}")
  [[ $given != "$cur" && $COMP_WORDBREAKS != *=* ]] && COMPREPLY=("${COMPREPLY[@]/#/$flag=}")
  return 0
}

complete -F _bookctl bookctl
